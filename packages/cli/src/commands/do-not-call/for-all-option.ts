import { Option } from '@commander-js/extra-typings'

/** The list of the server, instead of the account's. */
export const forAllOption = () =>
  new Option('--for-all', 'the list that holds for every account of the server; needs an operator’s key')
