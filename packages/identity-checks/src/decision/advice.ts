import type { CheckName } from '../check.ts'

/** What a person is told, and what they can do. */
export interface Advice {
  readonly message: string
  readonly next_step: string
  readonly retryable: boolean
}

const retry = (message: string, next_step: string): Advice => ({ message, next_step, retryable: true })
const wait = (message: string): Advice => ({
  message,
  next_step: 'Wait for the decision of a reviewer.',
  retryable: false,
})

const RETAKE = 'Take the picture again in even light, with the whole document sharp and in view.'
const RECORD_AGAIN = 'Record the video again: 3 to 10 seconds, your face in view, in good light.'

/** By code; a code that is not here has the advice of its check. */
const BY_CODE: Readonly<Record<string, Advice>> = {
  image_blurred: retry('The picture of the document is blurred.', RETAKE),
  image_glare: retry('Light is reflected on the document.', RETAKE),
  image_too_dark: retry('The picture of the document is too dark.', RETAKE),
  image_too_bright: retry('The picture of the document is too bright.', RETAKE),
  image_too_small: retry(
    'The document is too small in the picture.',
    'Come closer, and send the original picture.',
  ),
  document_cropped: retry('A part of the document is outside the picture.', RETAKE),
  document_expired: retry('The document has expired.', 'Use a document that is valid.'),
  recapture_suspected: retry(
    'The picture may be one of a screen or a print.',
    'Photograph the original document.',
  ),
  mrz_not_found: retry('The machine-readable lines of the document were not found.', RETAKE),
  mrz_check_digit: retry('The machine-readable lines could not be read without doubt.', RETAKE),
  mrz_name_mismatch: wait('The name that is printed and the machine-readable one differ.'),
  barcode_mismatch: wait('The barcode of the document and its machine-readable lines differ.'),
  video_frozen: retry('The video does not move.', RECORD_AGAIN),
  video_looped: retry('The video repeats itself.', RECORD_AGAIN),
  video_black: retry('The video is dark.', RECORD_AGAIN),
  no_face: retry('No face was found in the video.', RECORD_AGAIN),
  several_faces: retry('More than one face was found in the video.', 'Record the video alone.'),
  face_mismatch: wait('The face in the video was not recognised as that of the portrait.'),
  face_unsure: wait('The face in the video could not be compared with the portrait without doubt.'),
  no_face_in_portrait: retry('No face was found in the portrait.', RETAKE),
  not_live: retry('The video was not recognised as one of a person who is there.', RECORD_AGAIN),
  liveness_unsure: retry('Whether a person was filmed could not be told without doubt.', RECORD_AGAIN),
  check_timed_out: wait('A check took longer than it may, and was ended.'),
  check_failed: wait('A check could not be finished.'),
  attempts_exhausted: wait('The checks were begun several times and could not be finished.'),
  media_reused: wait('The same picture or video was sent before for another person.'),
}

const BY_CHECK: Readonly<Record<CheckName, Advice>> = {
  document_quality: retry('The picture of the document could not be judged.', RETAKE),
  document_recapture: wait('Whether the picture shows the original document could not be told.'),
  mrz_checks: wait('The machine-readable lines of the document were not checked.'),
  printed_fields: wait('The printed text of the document was not checked.'),
  barcode: wait('The barcode of the document was not checked.'),
  document_expiry: wait('Whether the document is valid could not be told.'),
  video_integrity: retry('The video is damaged.', RECORD_AGAIN),
  video_motion: wait('The movement in the video was not checked.'),
  face_presence: wait('The face in the video was not checked.'),
  liveness: wait('Whether a live person was filmed was not checked.'),
  face_match: wait('The face was not compared with the portrait.'),
  reused_media: wait('Whether the media was sent before was not checked.'),
}

export const adviceFor = (check: CheckName, code: string): Advice => BY_CODE[code] ?? BY_CHECK[check]
