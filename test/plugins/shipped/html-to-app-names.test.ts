import { faultsOf, takePage } from '../../../plugins/html_to_app/check-page'
import { toAppName } from '../../../plugins/html_to_app/app-name'
import { dressPage } from '../../../plugins/html_to_app/dress-page'

it.each([
  ['Calculator', 'Calculator', 'calculator'],
  ['计算器', '计算器', 'app'],
  ['../../etc/passwd', 'etc passwd', 'etc-passwd'],
  ['<script>alert(1)</script>', 'script alert(1) script', 'script-alert-1-script'],
  ['"; rm -rf / #', '; rm -rf #', 'rm-rf'],
  ['$(whoami)`id`', '(whoami) id', 'whoami-id'],
  ['a\u0000b\nc', 'a b c', 'a-b-c'],
  ['Café Ümlaut', 'Café Ümlaut', 'cafe-umlaut'],
  ['   ', 'App', 'app'],
  ['x'.repeat(200), 'x'.repeat(40), 'x'.repeat(40)],
])('the name %j is shown as %j and filed as %j', (given, shown, slug) => {
  expect(toAppName(given)).toEqual({ shown, slug })
})

// A rule that backtracks would not come to an end within the test's own limit.
it('reads a long page to its end, however it is written', () => {
  for (const piece of ['<img ', '<script src=', 'url( ', '<html>', 'import  ', "fetch( 'GET' , "]) {
    const page = `<html><body>${piece.repeat(50_000 / piece.length)}</body></html>`
    faultsOf(takePage(page))
    expect(dressPage(page, { name: 'x', color: '#000000' }).length).toBeGreaterThan(page.length)
  }
})
