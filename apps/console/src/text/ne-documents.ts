import type { enDocuments } from './en-documents.ts'
import { inDigits } from './ne-manner.ts'

/** पृष्ठभूमिमा पढिने कागजातबारे कन्सोलले नेपालीमा भन्ने। */
export const neDocuments: typeof enDocuments = {
  title: 'कागजात',
  statuses: { queued: 'पर्खिँदै', processing: 'पढिँदैछ', completed: 'पढिएको', failed: 'असफल' },
  failures: { unreadable: 'कुनै पृष्ठ पढ्न सकिएन', expired: 'समयमा पढिएन' },
  read: 'पढिएका पृष्ठ',
  unreadable: 'पढ्न नसकिएका पृष्ठ',
  language: 'भाषा',
  sent: 'पठाइएको',
  completed: 'सकिएको',
  erased: 'मेटिने समय',
  page: (number) => `पृष्ठ ${inDigits(number)}`,
  pageErrors: {
    time_limit: 'पढ्न धेरै समय लाग्छ।',
    memory_limit: 'पढ्न धेरै मेमोरी चाहिन्छ।',
    pixel_limit: 'पिक्सेल धेरै छन्।',
    damaged: 'बिग्रेको छ।',
    other_script: 'यो भाषामा नभएको लिपिमा छ।',
    failed: 'पढ्न सकिएन। फेरि पठाउँदा काम गर्न सक्छ।',
  },
}
