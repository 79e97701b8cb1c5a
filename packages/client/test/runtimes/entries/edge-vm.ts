import { inspectProperties } from '../inspect-properties.ts'
import { playRows } from '../play-rows.ts'

declare const controlUrl: string

void playRows({ controlUrl, inspect: inspectProperties })
