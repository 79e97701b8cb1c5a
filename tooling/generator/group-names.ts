/** Names of a group: of the group itself, and of its kind of resource. */
export interface GroupNames {
  readonly plural: string
  readonly singular: string
}
