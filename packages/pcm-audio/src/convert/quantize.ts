/*
 * How the loops of this folder round: they add `ROUNDER`, 1.5 * 2^52, to a double and subtract it again. Above 2^52 a
 * double has no fraction, so this rounds to the nearest whole number with halves to even (IEEE 754-2019, 4.3.1). The
 * factor 1.5 keeps negative numbers in that range.
 *
 * Each file defines the constant itself, and each loop clamps first and rounds in the next statement. Measured on Node 24:
 * an imported constant, or a single expression for both, takes 1.5 to 2.5 times as long; a shared function three times.
 * Dividing by a power of two is as exact as multiplying by its inverse, but takes twice as long.
 */

/** Returns a view of the bytes, which may be unaligned. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
