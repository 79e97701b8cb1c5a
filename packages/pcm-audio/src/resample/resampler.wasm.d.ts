/** WebAssembly module of the resampler, as bundlers for workerd import it. Pass it as the option `kernel`. */
declare const module: object
export default module
