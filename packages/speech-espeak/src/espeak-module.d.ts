/** Types for the part of the module that this package uses; the module has none. */
declare module '@echogarden/espeak-ng-emscripten' {
  export class EspeakWorker {
    /** `language` must be empty, otherwise the variant in `voice` (`ne+f3`) is ignored. */
    set_voice(voice: string, language: string): number
    set_rate(wordsPerMinute: number): void
    set_pitch(pitch: number): void
    set_range(range: number): void
    set_volume(volume: number): void
    /** Speaks the zero-terminated markup at `ptr`, synchronously in this thread. */
    synth_(markup: { ptr: number }, callback: number): void
    /** Returns the phonemes of the zero-terminated markup at `ptr`, with `_` between those of a word. `code` is 0 on success. */
    synthesize_ipa(markup: { ptr: number }): { code: number; ipa: string }
  }
  export interface EspeakModule {
    eSpeakNGWorker: new () => EspeakWorker
    /** Replaced when the memory grows. */
    readonly HEAPU8: Uint8Array
    readonly HEAP16: Int16Array
    readonly HEAP32: Int32Array
    readonly HEAPU32: Uint32Array
    _malloc(bytes: number): number
    /**
     * Makes a function that `synth_` can call with the address of samples, their number, which is 0 at the end, and the
     * address of events. The callback returns 1 to stop.
     */
    addFunction(callback: (address: number, samples: number, events: number) => number): number
  }
  export default function load(options: { thisProgram: string }): Promise<EspeakModule>
}
