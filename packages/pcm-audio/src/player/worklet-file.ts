/** The worklet as a separate file, for pages whose content security policy allows no `blob:` scripts. */
import { PROCESSOR_NAME, registerPlayer } from './worklet.ts'

registerPlayer(PROCESSOR_NAME)
