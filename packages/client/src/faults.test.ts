import { test } from 'vitest'
import { playFault } from '../test/faults/fault.ts'
import { faultTable } from '../test/faults/table.ts'

test.each(faultTable.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => playFault(fault))
