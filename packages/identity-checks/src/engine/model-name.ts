/** `name/version` and digests of the weights, so that a stored result identifies the model that measured. */
export const MODEL_NAME = /^[\w.-]{1,60}\/[\w.-]{1,60}(\+[\w.-]{1,64}){0,8}$/
