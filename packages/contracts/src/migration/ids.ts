import { idSchema } from '../shared/ids.ts'

export const pairIdSchema = idSchema('pair')
export const changeIdSchema = idSchema('change')
