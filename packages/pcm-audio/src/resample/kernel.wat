;; The inner loops of the resampler; `pnpm --filter @vaani/pcm-audio kernel` puts them into wasm-kernel-bytes.ts.
(module
  (memory (export "memory") 1)
  ;; Writes `outputEnd - output` bytes of samples. All positions are in bytes: `position` of the first sample that counts,
  ;; `row` of the taps of its phase. Each output advances them by a step, and where the phase runs over, by the wrap.
  (func (export "run")
    (param $position i32) (param $row i32) (param $output i32) (param $outputEnd i32)
    (param $rowBytes i32) (param $tapsEnd i32)
    (param $positionStep i32) (param $rowStep i32)
    (local $at i32) (local $tap i32) (local $rowEnd i32)
    (local $low v128) (local $high v128)
    (block $done
      (loop $outputs
        (br_if $done (i32.ge_u (local.get $output) (local.get $outputEnd)))
        (local.set $at (local.get $position))
        (local.set $tap (local.get $row))
        (local.set $rowEnd (i32.add (local.get $row) (local.get $rowBytes)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (loop $taps
          (local.set $low
            (f32x4.add (local.get $low) (f32x4.mul (v128.load (local.get $tap)) (v128.load (local.get $at)))))
          (local.set $high
            (f32x4.add (local.get $high)
              (f32x4.mul (v128.load offset=16 (local.get $tap)) (v128.load offset=16 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $tap (i32.add (local.get $tap) (i32.const 32)))
          (br_if $taps (i32.lt_u (local.get $tap) (local.get $rowEnd))))
        (local.set $low (f32x4.add (local.get $low) (local.get $high)))
        (f32.store (local.get $output)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $low)) (f32x4.extract_lane 1 (local.get $low)))
            (f32.add (f32x4.extract_lane 2 (local.get $low)) (f32x4.extract_lane 3 (local.get $low)))))
        (local.set $output (i32.add (local.get $output) (i32.const 4)))
        (local.set $position (i32.add (local.get $position) (local.get $positionStep)))
        (local.set $row (i32.add (local.get $row) (local.get $rowStep)))
        ;; Past the last phase: back by all of them, on by one sample.
        (if (i32.ge_u (local.get $row) (local.get $tapsEnd))
          (then
            (local.set $row (i32.sub (local.get $row) (local.get $tapsEnd)))
            (local.set $position (i32.add (local.get $position) (i32.const 4)))))
        (br $outputs)))))
