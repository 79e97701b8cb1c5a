/** `name/version`, and what else tells weights apart: so that a stored result says what measured. */
export const MODEL_NAME = /^[\w.-]+\/[\w.-]+(\+[\w.-]+)*$/
