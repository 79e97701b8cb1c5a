/** Scales samples by an energy of 0 to 1, for engines without a control of loudness. */
export const withEnergy = (samples: Int16Array, energy: number): Int16Array =>
  energy === 1 ? samples : samples.map((sample) => Math.round(sample * energy))
