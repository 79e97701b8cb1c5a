import { type CliCommand, createGroup } from '../../create-command.ts'
import { watermarkDetect } from './detect.ts'

/** `vaani watermark` */
export const watermark: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'watermark',
    description: 'Find the watermark of synthesized speech',
    commands: [watermarkDetect],
  })
