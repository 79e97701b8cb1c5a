/** What is used of the module, which has no declarations of its own. */
declare module '@echogarden/espeak-ng-emscripten' {
  export class EspeakWorker {
    /** `language` must be empty for the variant of `voice` (`ne+f3`) to count. */
    set_voice(voice: string, language: string): number
    set_rate(wordsPerMinute: number): void
    set_pitch(pitch: number): void
    set_range(range: number): void
    set_volume(volume: number): void
    /** Speaks at once, in this thread. Returning true from the callback ends it. */
    synthesize(markup: string, onChunk: (samples: Int16Array | null, events: unknown[]) => boolean): void
  }
  export default function load(): Promise<{ eSpeakNGWorker: new () => EspeakWorker }>
}
