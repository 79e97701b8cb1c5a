import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp from 'sharp'

interface Writer {
  prepareZXingModule(options: object): Promise<unknown>
  writeBarcode(text: string, options: object): Promise<{ image: Blob | null }>
}

/** Creates a function that draws the back of a licence with only a PDF417 barcode of a text. */
export async function createLicenceDrawer(): Promise<(text: string) => Promise<Buffer>> {
  // Untyped, because its declarations need the DOM's.
  const name: string = 'zxing-wasm/writer'
  const writer = (await import(name)) as Writer
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'))
  await writer.prepareZXingModule({ overrides: { wasmBinary: wasm.buffer }, fireImmediately: true })
  return async (text) => {
    const { image } = await writer.writeBarcode(text, { format: 'PDF417', scale: 3 })
    const barcode = Buffer.from((await image?.arrayBuffer()) ?? new ArrayBuffer(0))
    return sharp({ create: { width: 1200, height: 640, channels: 3, background: '#eef' } })
      .composite([{ input: barcode, left: 30, top: 60 }])
      .png()
      .toBuffer()
  }
}

/** A person who does not exist. Dates are YYYYMMDD. */
export interface LicenceHolder {
  readonly documentNumber: string
  readonly surname: string
  readonly givenNames: string
  readonly birth: string
  readonly expiry: string
}

/** Writes a text per the AAMVA DL/ID Card Design Standard (2020), annex D; for Canada, whose dates start with the year. */
export function licenceText(holder: LicenceHolder): string {
  const elements = {
    DAQ: holder.documentNumber,
    DCS: holder.surname,
    DDE: 'N',
    DAC: holder.givenNames,
    DDF: 'N',
    DAD: 'NONE',
    DDG: 'N',
    DCA: 'D',
    DCB: 'K',
    DCD: 'PH',
    DBD: '20240606',
    DBB: holder.birth,
    DBA: holder.expiry,
    DBC: '1',
    DAU: '180 cm',
    DAY: 'BRO',
    DAG: '1 EXAMPLE STREET',
    DAI: 'UTOPIA',
    DAJ: 'ON',
    DAK: 'A1A1A1     ',
    DCF: '2424244747474786102204',
    DCG: 'CAN',
  }
  const subfile = `DL${Object.entries(elements)
    .map(([id, value]) => id + value)
    .join('\n')}\r`
  const header = '@\n\u001E\rANSI 636012100001'
  const designator = `DL${String(header.length + 10).padStart(4, '0')}${String(subfile.length).padStart(4, '0')}`
  return header + designator + subfile
}
