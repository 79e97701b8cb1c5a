import type { enCallerIds } from './en-caller-ids.ts'
import { neCodes } from './ne-codes.ts'

/** कलमा देखाउन मिल्ने नम्बरबारे कन्सोलले भन्ने कुरा। */
export const neCallerIds: typeof enCallerIds = {
  title: 'कलर आईडी',
  all: 'सबै कलर आईडी',
  number: 'नम्बर',
  none: 'अहिलेसम्म कुनै कलर आईडी छैन।',
  noneHint: 'कोड भन्ने कलले जाँचेपछि कलमा देखाउन मिल्ने नम्बर यहाँ देखिन्छन्। एउटाबाट सुरु गर्नुहोस्:',
  start: 'नम्बर जाँच्नुहोस्',
  startHint:
    'नम्बरमा तुरुन्तै कल जान्छ। आवाजले छ अङ्कको कोड दुई पटक भन्छ, त्यो दस मिनेटभित्र यहाँ लेख्नुहोस्। आफ्नै नम्बर मात्र लेख्नुहोस्।',
  language: 'कलको भाषा',
  status: 'स्थिति',
  source: 'कसरी',
  sources: { call: 'कलबाट', operator: 'सञ्चालकबाट' },
  statuses: { pending: 'कोड पर्खिरहेको', verified: 'जाँचिएको', failed: 'असफल' },
  failures: {
    ...neCodes.callFailures,
    expired: 'कोडको म्याद सकियो',
    'too-many-attempts': 'धेरै पटक गलत कोड',
  },
  listen: 'नम्बरमा कल गइरहेको छ। आवाजले भनेको कोड लेख्नुहोस्।',
  testCode: (code) => `परीक्षण मोडमा फोन बज्दैन। कोड ${code} हो।`,
  attemptsLeft: (count) => `बाँकी प्रयास: ${count}।`,
  code: 'कोड',
  verified: 'जाँचिएको',
  remove: 'कलर आईडी हटाउनुहोस्',
  removeHint: 'अब कुनै कलले यो नम्बर देखाउन पाउँदैन। यसबाट डायल हुन पर्खिरहेका कल असफल हुन्छन्।',
}
