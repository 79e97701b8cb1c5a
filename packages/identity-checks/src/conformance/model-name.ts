/** `name/version` and digests of the weights, so that a stored result identifies the model that measured. */
export const MODEL_NAME = /^[\w.-]+\/[\w.-]+(\+[\w.-]+)*$/
