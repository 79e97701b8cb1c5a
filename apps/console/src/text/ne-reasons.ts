import type { Reason, ReasonTexts } from './sentences.ts'

const RETAKE = 'उज्यालो ठाउँमा, कागजात पूरै देखिने गरी स्पष्ट तस्बिर फेरि खिच्नुहोस्।'
const RECORD_AGAIN = 'उज्यालो ठाउँमा, अनुहार देखिने गरी ३ देखि १० सेकेन्डको भिडियो फेरि खिच्नुहोस्।'

const retry = (message: string, next_step: string): ReasonTexts => ({ message, next_step })
const wait = (message: string): ReasonTexts => ({ message, next_step: 'समीक्षकको निर्णय पर्खनुहोस्।' })

/** सङ्केतअनुसार। */
const BY_CODE = {
  image_blurred: retry('कागजातको तस्बिर धमिलो छ।', RETAKE),
  image_glare: retry('कागजातमा प्रकाश टल्किएको छ।', RETAKE),
  image_too_dark: retry('कागजातको तस्बिर धेरै अँध्यारो छ।', RETAKE),
  image_too_bright: retry('कागजातको तस्बिर धेरै उज्यालो छ।', RETAKE),
  image_too_small: retry('तस्बिरमा कागजात धेरै सानो छ।', 'नजिकबाट खिच्नुहोस्, र सक्कली तस्बिर पठाउनुहोस्।'),
  document_cropped: retry('कागजातको केही भाग तस्बिरमा आएको छैन।', RETAKE),
  document_expired: retry('कागजातको म्याद सकिएको छ।', 'म्याद नसकिएको कागजात प्रयोग गर्नुहोस्।'),
  recapture_suspected: retry('तस्बिर स्क्रिन वा छापाको जस्तो देखिन्छ।', 'सक्कली कागजातको तस्बिर खिच्नुहोस्।'),
  sides_identical: retry('दुवै तस्बिरमा कागजातको उही पाटो छ।', 'अगाडि र पछाडि दुवै खिच्नुहोस्।'),
  mrz_not_found: retry('कागजातको मेसिनले पढ्ने भाग भेटिएन।', RETAKE),
  mrz_glare: retry(
    'कागजातको मेसिनले पढ्ने भागमा प्रकाश टल्किएको छ।',
    'फ्ल्यास बन्द गरी, त्यो भागमा प्रकाश नटल्किने गरी कागजात घुमाएर फेरि खिच्नुहोस्।',
  ),
  mrz_check_digit: retry('मेसिनले पढ्ने भागको जाँच अङ्क मिलेन।', RETAKE),
  mrz_unsure: retry('मेसिनले पढ्ने भाग यकिनसाथ पढ्न सकिएन।', RETAKE),
  mrz_date_invalid: wait('मेसिनले पढ्ने भागमा हुनै नसक्ने मिति छ।'),
  mrz_name_mismatch: wait('छापिएको नाम र मेसिनले पढ्ने भागको नाम मिलेन।'),
  print_not_read: wait('कागजातमा छापिएको पढ्न सकिएन।'),
  printed_date_mismatch: wait('छापिएको मिति र मेसिनले पढ्ने भागको मिति मिलेन।'),
  document_not_recognised: retry('कागजातको किसिम चिनिएन।', RETAKE),
  fields_unsure: retry('कागजातमा छापिएका विवरण यकिनसाथ पढ्न सकिएन।', RETAKE),
  fields_differ: wait('कागजातका दुई पाटाका विवरण मिलेनन्।'),
  barcode_mismatch: wait('कागजातको बारकोड र मेसिनले पढ्ने भाग मिलेन।'),
  barcode_incomplete: retry('कागजातको बारकोडमा नाम, नम्बर वा मिति छैन।', 'अर्को कागजात प्रयोग गर्नुहोस्।'),
  video_frozen: retry('भिडियोमा केही चल्दैन।', RECORD_AGAIN),
  video_looped: retry('भिडियो दोहोरिन्छ।', RECORD_AGAIN),
  video_black: retry('भिडियो अँध्यारो छ।', RECORD_AGAIN),
  no_face: retry('भिडियोमा अनुहार भेटिएन।', RECORD_AGAIN),
  several_faces: retry('भिडियोमा एकभन्दा बढी अनुहार छन्।', 'एक्लै भएको बेला भिडियो खिच्नुहोस्।'),
  face_mismatch: wait('भिडियोको अनुहार फोटोसँग मिलेन।'),
  face_unsure: wait('भिडियोको अनुहार फोटोसँग मिल्छ कि मिल्दैन यकिन भएन।'),
  no_face_in_portrait: retry('फोटोमा अनुहार भेटिएन।', RETAKE),
  not_live: retry('भिडियोमा जीवित व्यक्ति भएको पुष्टि भएन।', RECORD_AGAIN),
  liveness_unsure: retry('भिडियोमा जीवित व्यक्ति छ कि छैन यकिन भएन।', RECORD_AGAIN),
  check_timed_out: wait('जाँचमा तोकिएभन्दा धेरै समय लाग्यो।'),
  check_failed: wait('जाँच पूरा हुन सकेन।'),
  engine_unavailable: wait('जाँच पूरा हुन सकेन।'),
  attempts_exhausted: wait('धेरै पटक प्रयास गर्दा पनि जाँच पूरा हुन सकेन।'),
  document_kind_not_accepted: retry(
    'यो किसिमको कागजात मान्य छैन।',
    'राहदानी जस्तो अर्को किसिमको कागजात प्रयोग गर्नुहोस्।',
  ),
  document_is_specimen: retry('यो नमुना कागजात हो।', 'आफ्नै कागजात प्रयोग गर्नुहोस्।'),
  country_not_accepted: retry('यो देशको कागजात मान्य छैन।', 'अर्को देशको कागजात प्रयोग गर्नुहोस्।'),
  country_not_read: retry('कागजात जारी गर्ने देश पढ्न सकिएन।', RETAKE),
  under_age: wait('व्यक्तिको उमेर तोकिएभन्दा कम छ।'),
  age_not_read: retry('जन्म मिति पढ्न सकिएन।', RETAKE),
  media_reused: wait('उही तस्बिर वा भिडियो पहिले नै पठाइएको छ।'),
  document_reused: wait('यो कागजात पहिले अरू कसैका लागि पठाइएको छ।'),
  media_resembles: wait('उस्तै देखिने तस्बिर पहिले पठाइएको छ।'),
} satisfies Readonly<Record<string, ReasonTexts>>

/** आफ्नै वाक्य नभएका सङ्केतका लागि, जाँचअनुसार। */
const BY_CHECK = {
  document_quality: retry('कागजातको तस्बिर कस्तो छ भनी जाँच्न सकिएन।', RETAKE),
  document_recapture: wait('तस्बिर सक्कली कागजातकै हो कि होइन थाहा भएन।'),
  document_sides: wait('कागजातका दुई पाटा दाँजिएनन्।'),
  mrz_checks: wait('कागजातको मेसिनले पढ्ने भाग जाँचिएन।'),
  printed_fields: wait('कागजातमा छापिएको जाँचिएन।'),
  barcode: wait('कागजातको बारकोड जाँचिएन।'),
  document_template: wait('कागजातमा छापिएका विवरण पढिएनन्।'),
  document_expiry: wait('कागजातको म्याद बाँकी छ कि छैन थाहा भएन।'),
  video_integrity: retry('भिडियो बिग्रिएको छ।', RECORD_AGAIN),
  video_motion: wait('भिडियोमा चाल छ कि छैन जाँचिएन।'),
  face_presence: wait('भिडियोमा अनुहार छ कि छैन जाँचिएन।'),
  liveness: wait('भिडियोमा जीवित व्यक्ति छ कि छैन जाँचिएन।'),
  face_match: wait('भिडियोको अनुहार कागजातको फोटोसँग दाँजिएन।'),
  reused_media: wait('पहिले पठाइएको हो कि होइन जाँचिएन।'),
  document_accepted: wait('यो कागजात मान्य छ कि छैन जाँचिएन।'),
} satisfies Readonly<Record<string, ReasonTexts>>

/** सङ्केत वा जाँचअनुसार। */
export const REASONS: ReadonlyMap<string, ReasonTexts> = new Map(Object.entries({ ...BY_CHECK, ...BY_CODE }))

/** जाँच वा समीक्षकले भेटेको कुरा व्यक्तिलाई कसरी भनिन्छ। */
export const reasonInNepali = ({ check, code, translations }: Reason): ReasonTexts | undefined =>
  translations?.ne ?? REASONS.get(code) ?? REASONS.get(check)
