import { expect, test } from 'vitest'
import { type TextLine, toBlock, toLine } from './layout.ts'
import { separateColumns } from './separate-columns.ts'

const HEIGHT = 20
const LETTER = 10

/** Sets a line of texts, each from a place on. */
function line(row: number, ...texts: readonly (readonly [x: number, text: string])[]): TextLine {
  const words = texts.flatMap(([x, text]) => {
    let at = x
    return text.split(' ').map((word) => {
      const box = { x: at, y: row * 30, width: word.length * LETTER, height: HEIGHT }
      at += box.width + LETTER
      return { text: word, confidence: 1, box }
    })
  })
  return toLine(words)
}
const read = (...lines: TextLine[]): string[] => separateColumns([toBlock(lines)]).map(({ text }) => text)
const asRows = (...lines: TextLine[]): string[] => [toBlock(lines).text]

const GOODS = [
  'Goods once sold are not returned.',
  'Please check the number of pieces',
  'before you leave the counter.',
]
const CHEQUES = [
  'Cheques are payable to the shop.',
  'A fee of two percent a month is',
  'charged on amounts that are',
  'overdue by a month.',
]
const beside = (left: readonly string[], right: readonly string[], from = 0): TextLine[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const [one, other] = [left[row], right[row]]
    return line(
      from + row,
      ...(one === undefined ? [] : [[0, one] as const]),
      ...(other === undefined ? [] : [[500, other] as const]),
    )
  })

test('two notes beside each other are read one after the other, between what is above and below', () => {
  const lines = [
    line(0, [0, 'Salt 11'], [700, '275.00']),
    ...beside(GOODS, CHEQUES, 2),
    line(8, [0, 'Thank you']),
  ]
  expect(read(...lines)).toEqual(['Salt 11 275.00', GOODS.join('\n'), CHEQUES.join('\n'), 'Thank you'])
})

test('a column may begin a line before the other, and end after it', () => {
  const [first = '', ...rest] = CHEQUES
  const lines = [
    line(0, [500, first]),
    ...beside(GOODS.slice(0, 3), [...rest, 'Ask at the counter for a form.'], 1),
  ]
  expect(read(...lines)).toEqual([
    GOODS.join('\n'),
    [...CHEQUES, 'Ask at the counter for a form.'].join('\n'),
  ])
})

const BUYER = ['Sita Rai', '12 Lake Road, behind the old bus park', 'Pokhara 33700']
const RECIPIENT = ['Hari Rai', '98 Durbar Marg', 'Kathmandu 44600', 'Phone: 555 0139']

test.each([
  ['Bill To', 'Ship To'],
  ['BILLED TO:', 'Shipped to :'],
  ['Sold by', '| Billing Address |'],
  ['From:', 'To:'],
  ['Bill to:', 'Ship to'],
  ['Rechnungsadresse', 'Lieferanschrift'],
  ['Facturé à', 'Adresse de livraison'],
  ['बिक्रेता:', 'ग्राहक:'],
  ['Bill to: Rai & Sons', 'Ship to: Rai Stores'],
])('addresses below %j and %j are read one after the other, up to the table below', (left, right) => {
  const table = line(6, [0, 'No'], [120, 'Item'], [500, 'Quantity'], [700, 'Price'])
  const lines = [...beside([left, ...BUYER], [right, ...RECIPIENT]), table]
  expect(read(...lines)).toEqual([[left, ...BUYER].join('\n'), [right, ...RECIPIENT].join('\n'), table.text])
})

test('a note beside addresses, which begins below their headings, is read after them', () => {
  const [left, right] = [
    ['BILLTO', ...BUYER],
    ['SHIPTO', ...RECIPIENT],
  ]
  const note = ['Keep this', 'for the warranty']
  const rows = [0, 1, 2, 3, 4].map((row) => {
    const texts = [left[row], right[row], note[row - 2]]
    return line(
      row,
      ...texts.flatMap((text, column) => (text === undefined ? [] : [[column * 500, text] as const])),
    )
  })
  expect(read(...rows)).toEqual([left, right, note].map((column) => column.join('\n')))
})

test('what stands beside addresses is read before or after them', () => {
  const order = ['Order: OD-1136', 'Date: 10-10-2018', 'PAN: AAICA4872D']
  const invoice = ['Invoice: 5521', 'Date: 11-10-2018', 'Terms: 30 days']
  const columns = [order, ['Bill To', ...RECIPIENT], ['Ship To', ...RECIPIENT], invoice]
  const rows = [0, 1, 2, 3, 4].map((row) =>
    line(
      row,
      ...columns.flatMap((column, index) => {
        const text = column[row]
        return text === undefined ? [] : [[index * 300, text] as const]
      }),
    ),
  )
  expect(read(...rows)).toEqual(columns.map((column) => column.join('\n')))
})

test('labels, tables and lists of names stay in their rows, whatever is above them', () => {
  const NAMES = Array.from({ length: 14 }, (_, index) => `Name ${'abcdefghijklmn'[index]}`)
  const form = [
    line(0, [0, 'Bill to:'], [200, 'Sita Rai'], [500, 'Phone:'], [700, '555 0139']),
    line(1, [0, 'Address:'], [200, '12 Lake Road'], [500, 'Fax:'], [700, '555 0140']),
  ]
  const letter = beside(['Ship to', ...RECIPIENT], ['Invoice no. 12', 'Date 11-10-2018', 'Page 1'])
  const fares = [
    line(0, [0, 'From'], [300, 'To'], [600, 'Fare']),
    ...[1, 2, 3].map((row) => line(row, [0, 'Pokhara'], [300, 'Kathmandu'], [600, '1,200.00'])),
  ]
  const orders = [
    line(0, [0, 'Customer'], [200, 'Seller'], [400, 'Item'], [600, 'Price']),
    ...[1, 2, 3].map((row) => line(row, [0, 'Rai'], [200, 'Lama'], [400, 'Salt'], [600, '25.00'])),
  ]
  const people = beside(['Sender', ...NAMES], ['Recipient', ...NAMES])
  const alone = [line(0, [0, 'Bill to'], [500, 'Ship to']), line(9, [0, 'Thank you'])]
  const crossed = [line(0, [0, 'Bill to'], [500, 'Ship to']), line(1, [0, `${GOODS[0]} ${CHEQUES[0]}`])]
  for (const lines of [form, letter, fares, orders, people, alone, crossed])
    expect(read(...lines)).toEqual(asRows(...lines))
})

/** Sets rows of cells, with empty ones where there is nothing. */
const table = (...rows: readonly (readonly string[])[]): TextLine[] =>
  rows.map((cells, row) =>
    line(row, ...cells.flatMap((text, column) => (text === '' ? [] : [[column * 300, text] as const]))),
  )

test.each([
  ['From', 'To'],
  ['Buyer', 'Seller'],
  ['Kunde', 'Customer'],
  ['Payer', 'Payee'],
  ['Buyer:', 'Seller'],
  ['From: Delhi', 'To: Agra'],
])('a table headed by %j and %j stays in its rows', (left, right) => {
  const trips = table([left, right], ['Pokhara', 'Kathmandu'], ['Departure', 'Arrival'], ['10:30', '12:00'])
  expect(read(...trips)).toEqual(asRows(...trips))
})

test.each([
  ['Ordered by', 'Delivered by', 'Received'],
  ['Order Date', 'Order By', 'Ship By'],
  ['Ordered by', 'Ship by', 'Invoice for'],
  ['Order Date', 'Order for', 'Invoice by'],
])('a table headed by %j, %j and %j stays in its rows', (...heads) => {
  const deliveries = table(heads, ['Ravi Rai', 'Sita Lama', '11 Nov'], ['Hari Rai', 'Gita Lama', '12 Nov'])
  expect(read(...deliveries)).toEqual(asRows(...deliveries))
})

const PLACES = [
  'Kathmandu',
  'Pokhara',
  'New Delhi',
  'Butwal',
  'Lucknow',
  'Dharan',
  'Old Goa',
  'Janakpur',
  'Pune',
]
/** Rows of two cells, the second of which is the first one of the next row. */
const routes = (count: number, cell = (place: string, _row: number) => place): [string, string][] =>
  Array.from({ length: count }, (_, row) => [
    cell(PLACES[row] ?? '', row),
    cell(PLACES[row + 1] ?? '', row + 1),
  ])

test.each([
  [
    'two places',
    ['Ship from', 'Ship to'],
    [
      ['Kathmandu', 'Pokhara'],
      ['Delhi', 'Agra'],
    ],
  ],
  ['places', ['Ship from', 'Ship to'], routes(3)],
  ['many places', ['Shipped from', 'Delivered to'], routes(8)],
  [
    'places, one of which is not named',
    ['Ship from:', 'Ship to:'],
    [...routes(5), ['', 'Pune'], ['Goa', 'Agra']],
  ],
  [
    'names',
    ['Sold by', 'Sold to'],
    [
      ['Ravi Rai', 'Sita Lama'],
      ['Hari Rai', 'Gita Lama'],
      ['Om Rai', 'Uma Lama'],
      ['Raj Rai', 'Ira Lama'],
    ],
  ],
  [
    'whole addresses',
    ['Billing address', 'Shipping address'],
    routes(4, (place, row) => `${row + 3} Lake Road, ${place}`),
  ],
  [
    'numbers and places',
    ['Invoice to', 'Ship to'],
    routes(5).map(([one, other], row) => [`Depot ${row}`, other === '' ? one : other]),
  ],
  [
    'numbers here and there',
    ['Ship from', 'Ship to'],
    routes(8, (place, row) => (row % 2 === 0 ? place : `Depot ${row}, ${place}`)),
  ],
  ['three columns', ['Ship from', 'Ship to', 'Bill to'], routes(4).map((row) => [...row, 'Rai & Sons'])],
])('a list of %s stays in its rows, though its heads are those of addresses', (_, heads, rows) => {
  const list = table(heads, ...rows)
  expect(read(...list)).toEqual(asRows(...list))
})

test.each([
  ['without numbers', ['Rai Stores', 'Lakeside', 'Pokhara'], ['Lama Traders', 'Durbar Marg', 'Kathmandu']],
  [
    'in one country',
    ['Rai Stores', 'Lakeside', 'Pokhara', 'Nepal'],
    ['Lama Traders', 'Thamel', 'Patan', 'Nepal'],
  ],
  [
    'of several lengths',
    ['Sita Rai', 'Rai Stores', 'Lakeside', 'Pokhara'],
    ['Hari Lama', 'Thamel', 'Kathmandu'],
  ],
  [
    'of one party',
    [...RECIPIENT, 'GSTIN 12', 'State: Goa', 'Code 3', 'India'],
    [...RECIPIENT, 'GSTIN 12', 'State: Goa', 'Code 3', 'India'],
  ],
  ['with numbers in one', [...BUYER, 'Nepal'], ['Hari Rai', 'Rai Stores', 'Durbar Marg', 'Kathmandu']],
])('addresses %s are read one after the other', (_, one, other) => {
  const [left, right] = [
    ['Bill to', ...one],
    ['Ship to', ...other],
  ]
  expect(read(...beside(left, right))).toEqual([left.join('\n'), right.join('\n')])
})

test('labels to the left of the headings stay beside what they label', () => {
  const form = table(['', 'Bill To', 'Ship To'], ['Name', 'Sita Rai', 'Hari Rai'], ['City', 'Pokhara', 'Goa'])
  expect(read(...form)).toEqual(asRows(...form))
})

test('a line of many headings divides nothing', () => {
  const many = table(
    Array.from({ length: 5 }, () => 'Bill To'),
    ...BUYER.map((text) => Array.from({ length: 5 }, () => text)),
  )
  expect(read(...many)).toEqual(asRows(...many))
})

const ADDRESSES = beside(['Bill To', ...BUYER], ['Ship To', ...RECIPIENT.slice(0, 3)])
const addressesIn = (lines: readonly TextLine[]): readonly string[] => read(...lines).slice(0, 2)

test.each([
  [
    'three columns',
    [
      line(5, [0, 'Description'], [600, 'Qty'], [750, 'Amount']),
      line(6, [0, 'Salt'], [600, '2'], [750, '550.00']),
      line(7, [0, 'Rice'], [600, '3'], [750, '900.00']),
      line(8, [600, 'Total'], [750, '1,450.00']),
    ],
  ],
  ['two columns', [line(5, [0, 'Item'], [500, 'Price']), line(6, [0, 'Salt'], [500, '275.00'])]],
  ['two columns at once', [line(4, [0, 'Item'], [500, 'Price']), line(5, [0, 'Salt'], [500, '275.00'])]],
  ['labels', [line(4, [0, 'Due date:'], [500, '10 Nov']), line(5, [0, 'Terms:'], [500, '30 days'])]],
])('a table of %s below addresses stays in its rows', (_, table) => {
  expect(read(...ADDRESSES, ...table).join('\n')).toContain(table.map(({ text }) => text).join('\n'))
  const [left, right] = addressesIn([...ADDRESSES, ...table])
  expect([left, right]).toEqual([
    expect.stringContaining(['Bill To', ...BUYER.slice(0, 2)].join('\n')),
    expect.stringContaining(['Ship To', ...RECIPIENT.slice(0, 2)].join('\n')),
  ])
})

test('other addresses, tables and amounts stay in their rows', () => {
  const addresses = beside(BUYER, RECIPIENT)
  const terms = beside(['Mobile', 'Guardian', 'Class', 'Address'], GOODS)
  const amounts = beside(GOODS, [
    '1,966.00 11,796.00 12,045.50',
    '289.50 2,605.50 10,550.00',
    '25.00 275.00 300.00',
  ])
  const apart = [
    ...beside(GOODS.slice(0, 1), CHEQUES.slice(0, 1)),
    ...beside(GOODS.slice(1, 2), CHEQUES.slice(1, 2), 9),
  ]
  for (const lines of [addresses, terms, amounts, apart, beside(GOODS, [])])
    expect(read(...lines)).toEqual(asRows(...lines))
})

test('running text across the page stays whole', () => {
  const lines = [0, 1, 2, 3].map((row) => line(row, [0, `${GOODS[0]} ${CHEQUES[0]}`]))
  expect(read(...lines)).toEqual(asRows(...lines))
})

test('lines of headings are looked at a bounded number of times', () => {
  let looks = 0
  const heads = Array.from({ length: 500 }, (_, column) => [column * 100, 'to'] as const)
  const lines = Array.from({ length: 100 }, (_row, row) => {
    const { words, ...rest } = line(row, ...heads)
    return {
      ...rest,
      get words() {
        looks++
        return words
      },
    }
  })
  separateColumns([toBlock(lines)])
  expect(looks).toBeLessThan(lines.length * 1000)
})

test('a gutter is followed over a bounded number of lines', () => {
  let looks = 0
  const lines = Array.from({ length: 600 }, (_, row) => {
    const { words, ...rest } = line(row, [0, 'Rice 25'], [500, '1,966.00'])
    return {
      ...rest,
      get words() {
        looks++
        return words
      },
    }
  })
  separateColumns([toBlock(lines)])
  expect(looks).toBeLessThan(600 * 1000)
})
