import { expect, test } from 'vitest'
import { readBlocks } from './read-blocks.ts'

const FENCE = '```'

test('reads the shell commands in order, with their expected output', () => {
  const readme = `# Title

${FENCE}sh
npm start
${FENCE}

${FENCE}ts
no.command()
${FENCE}

${FENCE}sh
cat <<'END'
text
END
${FENCE}

<!-- prints: text -->

1. In a list:

   ${FENCE}sh
   indented
     more
   ${FENCE}

   <!-- not pasted: needs a cluster -->

${FENCE}sh
last
${FENCE}
`
  expect(readBlocks(readme)).toEqual([
    { text: 'npm start\n', prints: undefined, notPasted: undefined },
    { text: "cat <<'END'\ntext\nEND\n", prints: 'text', notPasted: undefined },
    { text: 'indented\n  more\n', prints: undefined, notPasted: 'needs a cluster' },
    { text: 'last\n', prints: undefined, notPasted: undefined },
  ])
})
