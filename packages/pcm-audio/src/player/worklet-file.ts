/** The worklet as a separate file, for pages whose content security policy allows no `blob:` scripts. */
import { PLAYER_PROCESSOR_NAME, registerPlayer } from './worklet.ts'

registerPlayer(PLAYER_PROCESSOR_NAME)
