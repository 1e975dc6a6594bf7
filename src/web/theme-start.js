// Runs before the first paint, so that the page does not flash in the other theme; then follows the system.
{
  const system = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const chosen = localStorage.getItem('harrier.theme')
    const isChosen = chosen === 'light' || chosen === 'dark'
    document.documentElement.dataset.theme = isChosen ? chosen : system.matches ? 'dark' : 'light'
  }
  show()
  system.addEventListener('change', show)
  window.addEventListener('harrier:theme', show)
  // paper is light
  window.addEventListener('beforeprint', () => {
    document.documentElement.dataset.theme = 'light'
  })
  window.addEventListener('afterprint', show)
}
