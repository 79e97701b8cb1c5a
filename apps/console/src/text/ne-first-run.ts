import type { enFirstRun } from './en-first-run.ts'

/** सुरु गर्ने मानिसलाई गृहपृष्ठले भन्ने कुरा। */
export const neFirstRun: typeof enFirstRun = {
  phone: 'फोन बजाउनुहोस्',
  phoneHint: 'एजेन्टले सिमुलेटरको यो फोनमा कल गर्छ, जुन आफैँ उठ्छ। कल सकिनेबित्तिकै भनिएको कुरा सुनिन्छ।',
  ring: 'बजाउनुहोस्',
  seeCall: 'यो कलमा के भयो',
  next: 'अर्को चरण:',
  steps: {
    call: 'पहिलो कल गर्नुहोस्',
    webhook: 'घटना पाउने गन्तव्य बनाउनुहोस्',
    verification: 'पहिलो व्यक्ति प्रमाणित गर्नुहोस्',
    member: 'यो कन्सोलमा कसैलाई बोलाउनुहोस्',
  },
}
