/** On its way. */
export function Settings() {
  return <div class="page" />
}
