/** What a process of a model is started with, as JSON in its arguments. */
export interface ChildSettings {
  files: Readonly<Record<string, Readonly<Record<string, string | number>>>>
  threads: number
  /** Path of the module `sherpa-onnx-node`. */
  sherpa: string
}

/** A segment to speak. */
export interface Job {
  id: number
  text: string
  speaker: number
  /** Speed as a factor. */
  speed: number
}

export type Request = ({ type: 'speak' } & Job) | { type: 'cancel'; id: number }

/** What a process has loaded. */
export interface ModelInfo {
  sampleRateHz: number
  speakers: number
}

export type Reply =
  | ({ type: 'ready' } & ModelInfo)
  | { type: 'chunk'; id: number; samples: Int16Array }
  | { type: 'end'; id: number }
  /** The model has no symbol for any character of the text. */
  | { type: 'refused'; id: number }
