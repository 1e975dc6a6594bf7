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
  // paper is light; what is drawn on a canvas by then is turned around by the styles (run-print.css)
  window.addEventListener('beforeprint', () => {
    const { dataset } = document.documentElement
    if (dataset.theme !== 'dark') return
    dataset.theme = 'light'
    dataset.drawn = 'dark'
  })
  window.addEventListener('afterprint', () => {
    delete document.documentElement.dataset.drawn
    show()
  })
}
