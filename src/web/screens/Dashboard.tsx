/** On its way. */
export function Dashboard() {
  return <div class="page" />
}
