/*
 * How the loops of this folder round. `ROUNDER`, 1.5 * 2^52, is added to a double and taken away again: above 2^52 a double
 * has no fraction, so what is left was rounded to the nearest whole number with halves to even (IEEE 754-2019, 4.3.1). Half
 * as much more than 2^52, so that negative numbers stay in that range.
 *
 * Each file has that constant of its own, and each loop clamps first and rounds in the next statement. Measured on Node 24: an
 * imported constant, or one expression for both, takes 1.5 to 2.5 times as long; a shared function three times. To divide by a power of two is as exact as to
 * multiply by its inverse, and takes twice as long.
 */

/** A view of the bytes wherever they start, aligned or not. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
