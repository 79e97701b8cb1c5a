/** Worklets of each context that are loaded or loading, because registering a name twice fails. */
const loading = new WeakMap<BaseAudioContext, Map<string, Promise<void>>>()

/**
 * Loads a worklet once into a context.
 *
 * @param worklet.register registers the processor; its text becomes the whole source, so it must not refer to anything outside
 * @param worklet.url address of a file that does the same, for pages whose content security policy allows no `blob:`
 * @throws the browser's error if it cannot be loaded
 */
export function loadWorklet(
  context: BaseAudioContext,
  worklet: { name: string; register: (name: string) => void; url: string | URL | undefined },
): Promise<void> {
  const { name, register, url } = worklet
  const ofContext = loading.get(context) ?? new Map<string, Promise<void>>()
  loading.set(context, ofContext)
  const known = ofContext.get(name)
  if (known) return known
  const load = async () => {
    const source = `(${register})(${JSON.stringify(name)})`
    const address = url ?? URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    try {
      await context.audioWorklet.addModule(address)
    } finally {
      if (url === undefined) URL.revokeObjectURL(String(address))
    }
  }
  const loaded = load()
  ofContext.set(name, loaded)
  loaded.catch(() => ofContext.delete(name))
  return loaded
}
