import { useQueryClient } from '@tanstack/react-query'

export const reviewKey = (id: string) => ['review', id] as const
export const historyKey = (id: string) => ['history', id] as const

/** Reads a case and its history again. */
export function useReread(id: string): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: reviewKey(id) })
    void queries.invalidateQueries({ queryKey: historyKey(id) })
  }
}
