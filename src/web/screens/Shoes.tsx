/** On its way. */
export function Shoes() {
  return <div class="page" />
}
