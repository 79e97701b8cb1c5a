import type { FieldClass, FieldName } from '@vaani/contracts/migration'
import anyAscii from 'any-ascii'

type FieldType = 'code' | 'date' | 'name' | 'number'

const FIELDS: Readonly<Record<FieldName, FieldType>> = {
  document_type: 'code',
  document_number: 'number',
  full_name: 'name',
  surname: 'name',
  given_names: 'name',
  date_of_birth: 'date',
  expiry_date: 'date',
  nationality: 'code',
  issuing_country: 'code',
  sex: 'code',
}

/** Compares what two deployments read of one field. */
export function compareField(
  field: FieldName,
  primary: string | null | undefined,
  candidate: string | null | undefined,
): FieldClass {
  const type = FIELDS[field]
  const [one, other] = [primary ?? '', candidate ?? '']
  if (one === other) return 'equal'
  if (other === '') return 'only_primary'
  if (one === '') return 'only_candidate'
  const fold = FOLDS[type]
  const [oneFolded, otherFolded] = [fold(one), fold(other)]
  if (oneFolded === '' || otherFolded === '') return 'different'
  if (oneFolded === otherFolded) return 'equal_folded'
  return type === 'name' && sortWords(oneFolded) === sortWords(otherFolded) ? 'reordered' : 'different'
}

/** The same class seen from the other side. */
export const mirrored = (given: FieldClass): FieldClass => MIRRORED[given]

const MIRRORED: Readonly<Record<FieldClass, FieldClass>> = {
  equal: 'equal',
  equal_folded: 'equal_folded',
  reordered: 'reordered',
  only_primary: 'only_candidate',
  only_candidate: 'only_primary',
  different: 'different',
}

/** Two spellings that a person would call the same give the same text. */
const FOLDS: Readonly<Record<FieldType, (value: string) => string>> = {
  code: (value) => value.trim().toLowerCase(),
  // What the fields of the contract hold is already ISO 8601; a deployment may send a time after it.
  date: (value) => value.trim().slice(0, 'YYYY-MM-DD'.length),
  name: foldName,
  number: (value) =>
    value
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
}

/**
 * Zones for machines write Ä as AE or A, Ø as OE or O, and so on (ICAO 9303-3, section 6), where the printed name has the letter itself.
 * Both become the bare vowel, in every name alike.
 */
const DIGRAPHS = /(?<=[aou])e/g

function foldName(value: string): string {
  return anyAscii(value.normalize('NFC'))
    .toLowerCase()
    .replaceAll(/['’`]/g, '')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(DIGRAPHS, '')
}

const sortWords = (folded: string): string => folded.split(' ').toSorted().join(' ')
