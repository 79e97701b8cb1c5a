import { findSpecimen, type Specimen } from '@vaani/test-harness'

export const specimenPath = (specimen: Specimen): string => findSpecimen(specimen, import.meta.url)
