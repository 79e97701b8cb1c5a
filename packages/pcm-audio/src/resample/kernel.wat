;; The inner loops of the resampler. `pnpm --filter @vaani/pcm-audio kernel` assembles them into wasm-kernel-bytes.ts.
(module
  (memory (export "memory") 1)
  ;; Sums four lanes in the order of the plain kernel.
  (func $store (param $output i32) (param $sums v128)
    (f32.store (local.get $output)
      (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $sums)) (f32x4.extract_lane 1 (local.get $sums)))
        (f32.add (f32x4.extract_lane 2 (local.get $sums)) (f32x4.extract_lane 3 (local.get $sums))))))
  ;; Writes `outputEnd - output` bytes of samples. All positions are in bytes: `position` is that of the first input sample,
  ;; `row` that of the taps of its phase. Each output advances both by their steps, and wraps the row after the last phase.
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
        (call $store (local.get $output) (f32x4.add (local.get $low) (local.get $high)))
        (local.set $output (i32.add (local.get $output) (i32.const 4)))
        (local.set $position (i32.add (local.get $position) (local.get $positionStep)))
        (local.set $row (i32.add (local.get $row) (local.get $rowStep)))
        ;; Past the last phase: go back by all phases, and forward by one sample.
        (if (i32.ge_u (local.get $row) (local.get $tapsEnd))
          (then
            (local.set $row (i32.sub (local.get $row) (local.get $tapsEnd)))
            (local.set $position (i32.add (local.get $position) (i32.const 4)))))
        (br $outputs))))

  ;; Computes `groups` groups of four outputs of one phase, which share its taps. The inputs of consecutive outputs lie
  ;; `inputStep` bytes apart, the outputs `outputStep`.
  (func (export "runGroups")
    (param $position i32) (param $row i32) (param $output i32) (param $groups i32)
    (param $rowBytes i32) (param $inputStep i32) (param $outputStep i32)
    (local $p i32) (local $q i32) (local $r i32) (local $s i32) (local $tap i32) (local $rowEnd i32)
    (local $t0 v128) (local $t1 v128)
    (local $a0 v128) (local $a1 v128) (local $b0 v128) (local $b1 v128)
    (local $c0 v128) (local $c1 v128) (local $d0 v128) (local $d1 v128)
    (local.set $rowEnd (i32.add (local.get $row) (local.get $rowBytes)))
    (loop $next
        (local.set $p (local.get $position))
        (local.set $q (i32.add (local.get $p) (local.get $inputStep)))
        (local.set $r (i32.add (local.get $q) (local.get $inputStep)))
        (local.set $s (i32.add (local.get $r) (local.get $inputStep)))
        (local.set $position (i32.add (local.get $s) (local.get $inputStep)))
        (local.set $tap (local.get $row))
        (local.set $a0 (v128.const i32x4 0 0 0 0))
        (local.set $a1 (v128.const i32x4 0 0 0 0))
        (local.set $b0 (v128.const i32x4 0 0 0 0))
        (local.set $b1 (v128.const i32x4 0 0 0 0))
        (local.set $c0 (v128.const i32x4 0 0 0 0))
        (local.set $c1 (v128.const i32x4 0 0 0 0))
        (local.set $d0 (v128.const i32x4 0 0 0 0))
        (local.set $d1 (v128.const i32x4 0 0 0 0))
        (loop $taps
          (local.set $t0 (v128.load (local.get $tap)))
          (local.set $t1 (v128.load offset=16 (local.get $tap)))
          (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $t0) (v128.load (local.get $p)))))
          (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $t1) (v128.load offset=16 (local.get $p)))))
          (local.set $b0 (f32x4.add (local.get $b0) (f32x4.mul (local.get $t0) (v128.load (local.get $q)))))
          (local.set $b1 (f32x4.add (local.get $b1) (f32x4.mul (local.get $t1) (v128.load offset=16 (local.get $q)))))
          (local.set $c0 (f32x4.add (local.get $c0) (f32x4.mul (local.get $t0) (v128.load (local.get $r)))))
          (local.set $c1 (f32x4.add (local.get $c1) (f32x4.mul (local.get $t1) (v128.load offset=16 (local.get $r)))))
          (local.set $d0 (f32x4.add (local.get $d0) (f32x4.mul (local.get $t0) (v128.load (local.get $s)))))
          (local.set $d1 (f32x4.add (local.get $d1) (f32x4.mul (local.get $t1) (v128.load offset=16 (local.get $s)))))
          (local.set $p (i32.add (local.get $p) (i32.const 32)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (local.set $r (i32.add (local.get $r) (i32.const 32)))
          (local.set $s (i32.add (local.get $s) (i32.const 32)))
          (local.set $tap (i32.add (local.get $tap) (i32.const 32)))
          (br_if $taps (i32.lt_u (local.get $tap) (local.get $rowEnd))))
        (call $store (local.get $output) (f32x4.add (local.get $a0) (local.get $a1)))
        (call $store (i32.add (local.get $output) (i32.mul (local.get $outputStep) (i32.const 1))) (f32x4.add (local.get $b0) (local.get $b1)))
        (call $store (i32.add (local.get $output) (i32.mul (local.get $outputStep) (i32.const 2))) (f32x4.add (local.get $c0) (local.get $c1)))
        (call $store (i32.add (local.get $output) (i32.mul (local.get $outputStep) (i32.const 3))) (f32x4.add (local.get $d0) (local.get $d1)))
        (local.set $output (i32.add (local.get $output) (i32.mul (local.get $outputStep) (i32.const 4))))
        (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
        (br_if $next (local.get $groups)))))
