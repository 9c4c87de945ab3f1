/** What an operator typed is refused; the message names the option, the fault and the mend, in one line. */
export class WrongInput extends Error {}
