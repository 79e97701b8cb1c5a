/** The worklet as a separate file, for pages whose content security policy allows no `blob:` scripts. */
import { MICROPHONE_PROCESSOR_NAME, registerMicrophone } from './worklet.ts'

registerMicrophone(MICROPHONE_PROCESSOR_NAME)
