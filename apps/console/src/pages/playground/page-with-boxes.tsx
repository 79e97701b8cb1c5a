import type { OcrPage } from '@vaani/client'
import { useEffect, useState } from 'react'
import { t } from '../../text/text.ts'

/** Words that are less sure are marked. */
const SURE = 0.8

interface Picture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** A page with a box around each word; nothing if the browser cannot show the file. */
export function PageWithBoxes({ page, file }: { page: OcrPage; file: File }) {
  const picture = usePicture(file)
  if (picture === undefined) return null
  const words = page.blocks.flatMap(({ lines }) => lines).flatMap((line) => line.words)
  return (
    <svg className="boxes" viewBox={`0 0 ${page.width} ${page.height}`} role="img" aria-label={file.name}>
      <image
        href={picture.url}
        width={picture.width}
        height={picture.height}
        transform={placeOf(picture, page)}
      />
      {words.map(({ box, text, confidence }) => (
        <rect key={`${box.x} ${box.y} ${text}`} {...box} className={confidence < SURE ? 'unsure' : undefined}>
          <title>{`${text} · ${t.formats.share(confidence)}`}</title>
        </rect>
      ))}
    </svg>
  )
}

/** The boxes are of the upright page, which just holds the turned picture; so it is turned below them, about its middle. */
function placeOf(picture: Picture, page: OcrPage): string {
  const turned = (page.rotation * Math.PI) / 180
  const width = picture.width * Math.abs(Math.cos(turned)) + picture.height * Math.abs(Math.sin(turned))
  return [
    `translate(${page.width / 2} ${page.height / 2})`,
    `scale(${page.width / width})`,
    `rotate(${page.rotation})`,
    `translate(${-picture.width / 2} ${-picture.height / 2})`,
  ].join(' ')
}

/** A file as a picture, upright as its metadata says. Undefined for what the browser cannot decode, such as a PDF. */
function usePicture(file: File): Picture | undefined {
  const [picture, setPicture] = useState<Picture>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    const image = new Image()
    image.addEventListener('load', () =>
      setPicture({ url, width: image.naturalWidth, height: image.naturalHeight }),
    )
    image.src = url
    return () => {
      setPicture(undefined)
      URL.revokeObjectURL(url)
    }
  }, [file])
  return picture
}
