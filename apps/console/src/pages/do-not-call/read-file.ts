/** Reads the chosen file: UTF-8, or UTF-16 with its mark, as Excel saves "Unicode Text". */
export async function readFile(form: FormData): Promise<{ csv: string; reason?: string }> {
  const file = form.get('file')
  const bytes = new Uint8Array(file instanceof File ? await file.arrayBuffer() : [])
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const reason = String(form.get('reason') ?? '').trim()
  return {
    csv: new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes),
    ...(reason !== '' && { reason }),
  }
}
