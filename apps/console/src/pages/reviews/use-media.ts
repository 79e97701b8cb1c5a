import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import type { ShownImage } from './picture.tsx'
import type { Artifact } from './places.ts'

/** Nothing is looked at twice while the page is open. */
const KEPT = { gcTime: Infinity, staleTime: Infinity } as const
const keyOf = (id: string, ...what: string[]) => ['looked', id, ...what] as const

/** Forgets all that was looked at once the page of the case is left. */
export function useForgotten(id: string): void {
  const queries = useQueryClient()
  useEffect(() => () => queries.removeQueries({ queryKey: keyOf(id) }), [queries, id])
}

/** Reads a picture or the video of a case, which is recorded as a look. */
export const useMedia = (id: string, artifact: Artifact | 'liveness_video', isWanted: boolean) =>
  useQuery({
    queryKey: keyOf(id, artifact),
    queryFn: async ({ signal }) => {
      const file = await vaani.reviews.media(id, { artifact }, { signal })
      return new Blob([await file.bytes()], { type: file.contentType })
    },
    enabled: isWanted,
    ...KEPT,
  })

/** Reads frames of the video, which is recorded as a look. */
export const useFrames = (id: string, isWanted: boolean) =>
  useQuery({
    queryKey: keyOf(id, 'frames'),
    queryFn: async ({ signal }): Promise<readonly (ShownImage & { name: string })[]> => {
      const { frames } = await vaani.reviews.frames(id, {}, { signal })
      return frames.map(({ time_ms, width, height, image_b64 }) => ({
        name: `${t.formats.fixed(time_ms / 1000, 1)} ${t.formats.units.second}`,
        url: `data:image/jpeg;base64,${image_b64}`,
        width,
        height,
      }))
    },
    enabled: isWanted,
    ...KEPT,
  })

/** The address of a blob while it is shown. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (blob === undefined) return undefined
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return url
}

/** A picture once its size is known. */
export function useImage(blob: Blob | undefined): ShownImage | undefined {
  const url = useObjectUrl(blob)
  const [image, setImage] = useState<ShownImage>()
  useEffect(() => {
    if (url === undefined) return undefined
    const picture = new Image()
    const measure = () => setImage({ url, width: picture.naturalWidth, height: picture.naturalHeight })
    picture.addEventListener('load', measure)
    picture.src = url
    return () => {
      picture.removeEventListener('load', measure)
      setImage(undefined)
    }
  }, [url])
  return image
}
