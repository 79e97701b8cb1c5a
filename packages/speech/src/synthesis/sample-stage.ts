/** One step of processing mono samples. What is pushed comes out, in as many samples, by the end of `flush`. */
export interface SampleStage {
  push(samples: Float32Array): Float32Array
  flush(): Float32Array
}

/** Joins stages to one, in the order of the samples. */
export function joinStages(stages: readonly SampleStage[]): SampleStage {
  return {
    push: (samples) => stages.reduce((given, stage) => stage.push(given), samples),
    flush() {
      let rest = new Float32Array(0)
      for (const stage of stages) rest = concatenate(stage.push(rest), stage.flush())
      return rest
    },
  }
}

function concatenate(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const both = new Float32Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
