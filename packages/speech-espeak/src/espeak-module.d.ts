/** The part of the module that is used; it has no declarations of its own. */
declare module '@echogarden/espeak-ng-emscripten' {
  export class EspeakWorker {
    /** `language` must be empty for the variant of `voice` (`ne+f3`) to count. */
    set_voice(voice: string, language: string): number
    set_rate(wordsPerMinute: number): void
    set_pitch(pitch: number): void
    set_range(range: number): void
    set_volume(volume: number): void
    /** Speaks the markup that ends in a zero at `ptr`, at once and in this thread. */
    synth_(markup: { ptr: number }, callback: number): void
  }
  export interface EspeakModule {
    eSpeakNGWorker: new () => EspeakWorker
    /** Another one after the memory has grown. */
    readonly HEAPU8: Uint8Array
    readonly HEAP16: Int16Array
    readonly HEAPU32: Uint32Array
    _malloc(bytes: number): number
    /**
     * Makes a function that `synth_` can call with the address of samples, 0 at the end, and how many there are; it
     * returns 1 to stop.
     */
    addFunction(callback: (address: number, samples: number) => number): number
  }
  export default function load(options: { thisProgram: string }): Promise<EspeakModule>
}
