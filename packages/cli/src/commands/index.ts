import type { CliCommand } from '../create-command.ts'
import { agents } from './agents/index.ts'
import { batch } from './batch/index.ts'
import { call } from './call/index.ts'
import { callerIds } from './caller-ids/index.ts'
import { chat } from './chat.ts'
import { completion } from './completion.ts'
import { deploy } from './deploy/index.ts'
import { doNotCall } from './do-not-call/index.ts'
import { endpoints } from './endpoints/index.ts'
import { get } from './get.ts'
import { keys } from './keys/index.ts'
import { kyc } from './kyc/index.ts'
import { lexicon } from './lexicon/index.ts'
import { limits } from './limits.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { members } from './members/index.ts'
import { ocr } from './ocr.ts'
import { open } from './open.ts'
import { post } from './post.ts'
import { profiles } from './profiles/index.ts'
import { requests } from './requests/index.ts'
import { shadow } from './shadow/index.ts'
import { speak } from './speak.ts'
import { voices } from './voices/index.ts'
import { watermark } from './watermark/index.ts'
import { webhooks } from './webhooks/index.ts'

/** The commands of `vaani`, in the order of its help. */
export const builtInCommands: readonly CliCommand[] = [
  login,
  logout,
  profiles,
  speak,
  chat,
  voices,
  lexicon,
  watermark,
  ocr,
  batch,
  agents,
  call,
  callerIds,
  kyc,
  shadow,
  members,
  requests,
  limits,
  doNotCall,
  webhooks,
  endpoints,
  keys,
  deploy,
  get,
  post,
  open,
  completion,
]
