/** URLs that must never be called, with the canary's port where it can have one. */
export function forbiddenUrls(port: number): string[] {
  const at = (host: string) => `http://${host}:${port}/`
  return [
    ...LITERALS.map(at),
    ...SPELLINGS.map(at),
    ...V6.map((address) => at(`[${address}]`)),
    ...NAMES.map(at),
  ].concat(
    SCHEMES.map((scheme) => `${scheme}127.0.0.1:${port}/`),
    CREDENTIALS.map((start) => `http://${start}127.0.0.1:${port}/`),
    BROKEN.map((start) => `${start}:${port}/`),
    [
      'https://127.0.0.1/',
      `https://localhost:${port}/`,
      'data:text/plain,hello',
      'javascript:alert(1)',
      'about:blank',
      '',
    ],
  )
}

const LITERALS = [
  ...['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.255', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255'],
  ...['172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.255', '169.254.0.1', '169.254.169.254'],
  ...['169.254.170.2', '100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1'],
  ...['192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16', '192.175.48.1', '192.52.193.1'],
]

/** The same addresses, written so that a careless check does not see them. */
const SPELLINGS = [
  ...['2130706433', '0x7f000001', '0x7F000001', '017700000001', '0x7f.0.0.1', '0177.0.0.1', '0177.0.0.01', '127.1'],
  ...['127.0.1', '0x7f.1', '0177.1', '127.0.0.1.', '127.0.0.01', '127.0.0x0.1', '0', '0x0', '2852039166'],
  ...['0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '3232235521', '0xc0a80001', '1.', '167772161'],
  ...[
    '１２７.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127．0．0．1',
    '１２７。０。０。１',
    '%31%32%37.0.0.1',
    '127.0.0.%31',
  ],
].filter((host) => host !== '1.')

const V6 = [
  ...['::1', '::', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:10.0.0.1'],
  ...['0:0:0:0:0:ffff:127.0.0.1', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1'],
  ...['64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:c0a8:1::1'],
  ...['2001::7f00:1', '2001:0:7f00:1::', '2001:db8::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00::1', 'fd00:ec2::254'],
  ...['fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1', '100::1', '2001:20::1', '4000::1', 'e000::1', '::2'],
]

/** Names that resolve to places inside; the test's resolver knows them. */
export const INSIDE_NAMES: Record<string, string[]> = {
  'metadata.google.internal': ['169.254.169.254'],
  'loopback.example': ['127.0.0.1'],
  'loopback-six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zone.example': ['fe80::1%eth0'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mixed-six.example': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1'],
  'nothing.example': [],
  'garbage.example': ['not an address'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'xn--bcher-kva.example': ['10.0.0.1'],
}
const NAMES = [
  ...Object.keys(INSIDE_NAMES),
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'a.b.localhost.',
  'ｌocalhost',
]

const SCHEMES = [
  'file://',
  'gopher://',
  'ftp://',
  'ws://',
  'wss://',
  'dict://',
  'ldap://',
  'unix://',
  'tftp://',
  'jar:http://',
]
const CREDENTIALS = [
  'user@',
  'user:pass@',
  ':pass@',
  'example.com@',
  'example.com:80@',
  'example.com%40@',
  'example.com\\@',
]
const BROKEN = [
  'http://[::1%25lo]',
  'http://127.0.0.1.1',
  'http://0x7f.0.0.256',
  'http://999.1.1.1',
  '//127.0.0.1',
  'http:///127.0.0.1',
]
