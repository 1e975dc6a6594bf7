/** On its way. */
export function Runs() {
  return <div class="page" />
}
