/** A process that cannot load its model. */
process.stderr.write('No such model')
process.exitCode = 1
process.disconnect()
