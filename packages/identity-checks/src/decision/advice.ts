import type { CheckName } from '../check.ts'

/** Message to the person, and what they can do. */
export interface Advice {
  readonly message: string
  readonly next_step: string
  readonly retryable: boolean
}

const retry = (message: string, next_step: string): Advice => ({ message, next_step, retryable: true })
const wait = (message: string): Advice => ({
  message,
  next_step: 'Wait for a reviewer to decide.',
  retryable: false,
})

const RETAKE = 'Take the picture again in even light, with the whole document sharp and in view.'
const RECORD_AGAIN = 'Record the video again: 3 to 10 seconds, your face in view, in good light.'

/** Advice by code. Other codes get the advice of their check. */
const BY_CODE: Readonly<Record<string, Advice>> = {
  image_blurred: retry('The picture of the document is blurred.', RETAKE),
  image_glare: retry('The document reflects light.', RETAKE),
  image_too_dark: retry('The picture of the document is too dark.', RETAKE),
  image_too_bright: retry('The picture of the document is too bright.', RETAKE),
  image_too_small: retry(
    'The document is too small in the picture.',
    'Move closer and send the original picture.',
  ),
  document_cropped: retry('Part of the document is outside the picture.', RETAKE),
  document_expired: retry('The document has expired.', 'Use a valid document.'),
  recapture_suspected: retry(
    'The picture may show a screen or a print.',
    'Photograph the original document.',
  ),
  sides_identical: retry(
    'Both pictures show the same side of the document.',
    'Photograph the front and the back.',
  ),
  mrz_not_found: retry('The machine-readable lines of the document were not found.', RETAKE),
  mrz_glare: retry(
    'Light reflects on the machine-readable lines of the document.',
    'Take the picture again without a flash, and turn the document until no light reflects on these lines.',
  ),
  mrz_check_digit: retry('The machine-readable lines do not fit their check digits.', RETAKE),
  mrz_unsure: retry('The machine-readable lines could not be read with certainty.', RETAKE),
  mrz_date_invalid: wait('The machine-readable lines have a date that does not exist.'),
  mrz_name_mismatch: wait('The printed name and the machine-readable name differ.'),
  print_not_read: wait('The printed text of the document could not be read.'),
  printed_date_mismatch: wait('The printed dates and the machine-readable dates differ.'),
  document_not_recognised: retry('The kind of document was not recognised.', RETAKE),
  fields_unsure: retry('The printed fields of the document could not be read with certainty.', RETAKE),
  fields_differ: wait('The two sides of the document differ.'),
  barcode_mismatch: wait('The barcode of the document and its machine-readable lines differ.'),
  barcode_incomplete: retry(
    'The barcode of the document lacks a name, a number or a date.',
    'Use another document.',
  ),
  video_frozen: retry('Nothing moves in the video.', RECORD_AGAIN),
  video_looped: retry('The video repeats itself.', RECORD_AGAIN),
  video_black: retry('The video is dark.', RECORD_AGAIN),
  no_face: retry('No face was found in the video.', RECORD_AGAIN),
  several_faces: retry('More than one face was found in the video.', 'Record the video alone.'),
  face_mismatch: wait('The face in the video does not match the portrait.'),
  face_unsure: wait('The face in the video could not be matched with the portrait with certainty.'),
  no_face_in_portrait: retry('No face was found in the portrait.', RETAKE),
  not_live: retry('The video was not recognised as showing a live person.', RECORD_AGAIN),
  liveness_unsure: retry('It is not certain that the video shows a live person.', RECORD_AGAIN),
  check_timed_out: wait('A check exceeded its time limit.'),
  check_failed: wait('A check could not be completed.'),
  engine_unavailable: wait('A check could not be completed.'),
  attempts_exhausted: wait('The checks were attempted several times and could not be completed.'),
  document_kind_not_accepted: retry(
    'This kind of document is not accepted.',
    'Use a document of another kind, such as a passport.',
  ),
  document_is_specimen: retry('The document is a specimen.', 'Use your own document.'),
  country_not_accepted: retry(
    'Documents of this country are not accepted.',
    'Use a document of another country.',
  ),
  country_not_read: retry('The country that issued the document could not be read.', RETAKE),
  under_age: wait('The person is younger than allowed.'),
  age_not_read: retry('The date of birth could not be read.', RETAKE),
  media_reused: wait('The same picture or video was sent earlier.'),
  document_reused: wait('The same document was sent earlier for another person.'),
  media_resembles: wait('A picture that looks the same was sent earlier.'),
}

const BY_CHECK: Readonly<Record<CheckName, Advice>> = {
  document_quality: retry('The picture of the document could not be assessed.', RETAKE),
  document_recapture: wait('It could not be determined whether the picture shows the original document.'),
  document_sides: wait('The two sides of the document were not compared.'),
  mrz_checks: wait('The machine-readable lines of the document were not checked.'),
  printed_fields: wait('The printed text of the document was not checked.'),
  barcode: wait('The barcode of the document was not checked.'),
  document_template: wait('The printed fields of the document were not read.'),
  document_expiry: wait('It could not be determined whether the document is still valid.'),
  video_integrity: retry('The video is damaged.', RECORD_AGAIN),
  video_motion: wait('Movement in the video was not checked.'),
  face_presence: wait('The face in the video was not checked.'),
  liveness: wait('It was not checked whether the video shows a live person.'),
  face_match: wait('The face in the video was not compared with the one on the document.'),
  reused_media: wait('It was not checked whether the media was sent before.'),
  document_accepted: wait('It was not checked whether this document is accepted.'),
}

export const adviceFor = (check: CheckName, code: string): Advice => BY_CODE[code] ?? BY_CHECK[check]
