import { neManner } from './ne-manner.ts'
import { ne } from './ne.ts'
import { neSentences } from './ne-sentences.ts'

/** Everything that is said in Nepali, as one file for the browser. */
export const NEPALI = { texts: ne, manner: neManner, sentences: neSentences }
