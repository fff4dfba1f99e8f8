// Bounces with who refused and why, by the sentences of the receivers' own pages. Written before the code.
// `-`: nobody can say who. `?`: the text doesn't say why.

type Example = readonly [expected: string, text: string];

const FROM_GMAIL = 'host gmail-smtp-in.l.google.com[192.0.2.27] said: ';
const OUTLOOK = 'host outlook-com.olc.protection.outlook.com[192.0.2.33] said: ';
const TENANT = 'host example-com.mail.protection.outlook.com[192.0.2.34] said: ';
const APPLE = 'host mx01.mail.icloud.com[192.0.2.35] said: ';
const YAHOO = 'host mta7.am0.yahoodns.net[192.0.2.36] said: ';
const GMX = 'host mx00.emig.gmx.net[192.0.2.37] said: ';

const dsn = (status: string, remote: string, diagnostic: string) =>
  `Reporting-MTA: dns; mail.example.com\nArrival-Date: Mon, 1 Jun 2026 10:12:03 +0000\n\nFinal-Recipient: rfc822; ada@recipient.example\nAction: failed\nStatus: ${status}\nRemote-MTA: dns; ${remote}\nDiagnostic-Code: smtp; ${diagnostic}\n`;

export const GMAIL: readonly Example[] = [
  [
    'gmail dmarc_missing',
    `550-5.7.40 Your message was blocked because the sending domain doesn't have a\n550-5.7.40 DMARC record or the DMARC record doesn't specify a DMARC policy.\n550 5.7.40 Gmail requires all bulk email senders to add a DMARC record. - gsmtp`,
  ],
  [
    'gmail dmarc_missing',
    `${FROM_GMAIL}421-4.7.40 Your email has been rate limited because the sending domain doesn't have a DMARC record (in reply to end of DATA command)`,
  ],
  [
    'gmail dmarc_missing',
    '421 4.7.31 Your email has been rate limited because the sending domain doesn’t have a DMARC record, or the DMARC record doesn’t specify a DMARC policy. - gsmtp',
  ],
  [
    'gmail not_aligned',
    `421-4.7.32 Your email has been rate limited because the From: header (RFC5322) in\n421-4.7.32 this message isn't aligned with either the authenticated SPF or DKIM\n421 4.7.32 organizational domain. d9443c01a7336-2 - gsmtp`,
  ],
  [
    'gmail not_aligned',
    `${FROM_GMAIL}421-5.7.32 Your email was blocked because the From: header (RFC5322) in this message isn't aligned`,
  ],
  [
    'gmail unauthenticated',
    `<ada@gmail.com>: ${FROM_GMAIL}550-5.7.26 This email has been blocked because the sender is unauthenticated. 550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM. 550-5.7.26 550-5.7.26 Authentication results: 550-5.7.26 DKIM = did not pass 550-5.7.26 SPF [example.com] with ip: [192.0.2.1] = did not pass 550 5.7.26 https://support.google.com/mail/answer/81126#authentication - gsmtp (in reply to end of DATA command)`,
  ],
  [
    'gmail unauthenticated',
    '421 4.7.26 This mail has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.',
  ],
  [
    'gmail spf_denied',
    `550 5.7.26 The MAIL FROM domain [example.com] has an SPF record with a hard fail policy (-all) but it fails to pass SPF checks with the ip: [192.0.2.1]. - gsmtp`,
  ],
  [
    'gmail dmarc_policy',
    "550-5.7.26 Unauthenticated email from example.com is not accepted due to\n550-5.7.26 domain's DMARC policy. Please contact the administrator of\n550 5.7.26 example.com domain if this was a legitimate email. gsmtp",
  ],
  [
    'gmail dmarc_policy',
    "550 5.7.1 Unauthenticated email from example.com is not accepted due to domain's DMARC policy. - gsmtp",
  ],
  [
    'gmail dmarc_dns',
    "451 4.7.26 Unauthenticated email from example.com is not accepted due to domain's DMARC policy, but temporary DNS failures prevent authentication. - gsmtp",
  ],
  [
    'gmail authentication',
    dsn('5.7.26', 'gmail-smtp-in.l.google.com', '550-5.7.26 https://support.google.com/mail/answer/81126'),
  ],
  [
    'gmail spf_failed',
    `550-5.7.27 This message was blocked because it didn't pass SPF authentication.\r\n550-5.7.27 Gmail requires bulk email senders to authenticate their email with SPF.\r\n550 5.7.27 - gsmtp`,
  ],
  [
    'gmail spf_failed',
    dsn(
      '4.7.27',
      'alt1.gmail-smtp-in.l.google.com',
      "421-4.7.27 Your email has been rate limited because SPF authentication didn't\n pass for this message.",
    ),
  ],
  ['gmail dkim_failed', `${FROM_GMAIL}550 5.7.30 This message was blocked because it didn't pass DKIM authentication.`],
  [
    'gmail dkim_failed',
    `421 4.7.30 Your email has been rate limited because DKIM authentication didn't pass for this message. Gmail requires all email bulk senders to authenticate their email with DKIM.`,
  ],
  [
    'gmail spf_suspicious',
    '550 5.7.24 The SPF record of the sending domain has one or more suspicious entries. - gsmtp',
  ],
  [
    'gmail spf_suspicious',
    `${FROM_GMAIL}451 4.7.24 The SPF record of the sending domain has one or more suspicious entries.`,
  ],
  [
    'gmail ptr',
    `${FROM_GMAIL}550-5.7.25 [192.0.2.1] The IP address sending this message does not have a PTR record setup`,
  ],
  [
    'gmail ptr',
    `451 4.7.23 The sending IP address for this message doesn't have a PTR record, or the PTR record's forward DNS entry doesn't match the sending IP address. gsmtp`,
  ],
  [
    'gmail ptr',
    `421 4.7.0 The IP address sending this message does not have a PTR record, or the corresponding forward DNS entry does not point to the sending IP. - gsmtp`,
  ],
  ['gmail tls', `550 5.7.29 This message was blocked because it wasn't sent over a TLS connection. - gsmtp`],
  [
    'gmail rate',
    `${FROM_GMAIL}421-4.7.28 Gmail has detected an unusual rate of unsolicited email originating from your DKIM domain [example.com 35].`,
  ],
  ['gmail rate', '550 5.7.28 There is an unusual rate of unsolicited email originating from your IP address. - gsmtp'],
  [
    'gmail ip_reputation',
    '550-5.7.1 [192.0.2.1 19] Gmail has detected that this message is likely\n550-5.7.1 suspicious due to the very low reputation of the sending IP address. - gsmtp',
  ],
  [
    'gmail domain_reputation',
    'Our system has detected: 421-4.7.0 [192.0.2.1 15] Our system has detected that this message is suspicious due to the very low 421-4.7.0 reputation of the sending domain. - gsmtp',
  ],
  [
    'gmail content',
    '550 5.7.1 [192.0.2.1 12] Our system has detected that this message is likely unsolicited mail. - gsmtp',
  ],
  ['gmail malformed', '550 5.7.1 This message is not RFC 5322 compliant because it has duplicate headers. - gsmtp'],
  [
    'gmail recipient_policy',
    '550 5.7.1 The user or domain that you are sending to (or from) has a policy that prohibits the email that you sent. - gsmtp',
  ],
  [
    'gmail no_mailbox',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos - gsmtp",
  ],
  ['gmail mailbox_full', `${FROM_GMAIL}452-4.2.2 The recipient's inbox is out of storage space.`],
  ['gmail mailbox_disabled', '550 5.2.1 The email account that you tried to reach is inactive. - gsmtp'],
  ['gmail mailbox_rate', '450 4.2.1 The user you are trying to contact is receiving email too quickly. gsmtp'],
  ['gmail login', '504 5.7.40 Unrecognized authentication type. - gsmtp'],
  ['gmail ?', '550 5.7.1 - gsmtp'],
  ['gmail ?', `${FROM_GMAIL}550 5.7.1 (in reply to end of DATA command)`],
  ['gmail too_large', "552-5.3.4 Your message exceeded Google's message size limits. - gsmtp"],
  // The same, in a message of another language, quoted, in JSON and as a quoted-printable part.
  [
    'gmail dkim_failed',
    `Ihre Nachricht konnte nicht zugestellt werden.\n\nDer Remoteserver hat geantwortet:\n550-5.7.30 This message was blocked because it didn't pass DKIM\n550 5.7.30 authentication. - gsmtp\n\nMit freundlichen Grüßen`,
  ],
  [
    'gmail dmarc_missing',
    `> 550-5.7.40 Your message was blocked because the sending domain doesn't\n> 550-5.7.40 have a DMARC record - gsmtp`,
  ],
  [
    'gmail spf_failed',
    `{"recipient":"ada@gmail.com","diagnosticCode":"smtp; 550 5.7.27 This message was blocked because it didn't pass SPF authentication. - gsmtp","status":"5.7.27"}`,
  ],
  [
    'gmail not_aligned',
    `Diagnostic-Code: smtp; 421-4.7.32 Your email has been rate limited becaus=\r\ne the From: header (RFC5322) in this message isn't alig=\r\nned - gsmtp`,
  ],
  [
    'gmail dmarc_missing',
    `2026-06-01T10:12:03Z mta1 postfix/smtp[4711]: 4Xk1: to=<ada@gmail.com>, relay=gmail-smtp-in.l.google.com[192.0.2.27]:25, delay=1.2, dsn=5.7.40, status=bounced (${FROM_GMAIL}550 5.7.40 Your message was blocked)`,
  ],
  [
    'gmail unauthenticated',
    `  ada@gmail.com\n    host gmail-smtp-in.l.google.com [192.0.2.27]\n    SMTP error from remote mail server after end of data:\n    550-5.7.26 This mail has been blocked because the sender is unauthenticated.\n    550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.`,
  ],
];

export const YAHOO_TEXTS: readonly Example[] = [
  [
    'yahoo rate',
    `${YAHOO}421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes`,
  ],
  ['yahoo rate', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred'],
  [
    'yahoo ip_reputation',
    '553 5.7.2 [TSS09] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes',
  ],
  [
    'yahoo bulk_authentication',
    `${YAHOO}554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes`,
  ],
  [
    'yahoo unauthenticated',
    '550 5.7.9 This mail has been blocked because the sender is unauthenticated. Yahoo requires all senders to authenticate with either SPF or DKIM.',
  ],
  [
    'yahoo domain_soa',
    '451 Message temporarily deferred due to unresolvable RFC.5321 from domain. See https://senders.yahooinc.com/error-codes#unresolvable-from-domain',
  ],
  ['yahoo domain_soa', `${YAHOO}554 Message not allowed due to unresolvable RFC.5322 from domain`],
  [
    'yahoo content',
    '554 Message not allowed - [PH01] Email not accepted for policy reasons. Please visit https://postmaster.yahooinc.com/error-codes',
  ],
  [
    'yahoo ip_listed',
    `${YAHOO}553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus's list`,
  ],
  [
    'yahoo malformed',
    'Remote host said: 554 Message not allowed - Headers are not RFC compliant[291] - mta7.mail.ne1.yahoo.com',
  ],
  [
    'yahoo no_mailbox',
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [-5] - mta123.mail.mud.yahoo.com",
  ],
  [
    'yahoo mailbox_disabled',
    '554 30 Sorry, your message to ada@aol.com cannot be delivered. This mailbox is disabled (554.30). - mta4.mail.bf1.yahoo.com',
  ],
  ['yahoo busy', '451 mta1.mail.ne1.yahoo.com Resources temporarily unavailable. Please try again later [#4.16.1].'],
  ['yahoo mailbox_rate', `${YAHOO}450 User is receiving mail too quickly`],
  [
    'yahoo no_mailbox',
    `${YAHOO}552 1 Requested mail action aborted, mailbox not found (in reply to end of DATA command)`,
  ],
  [
    'yahoo bulk_authentication',
    dsn(
      '5.7.9',
      'mx-eu.mail.am0.yahoodns.net',
      '554 5.7.9 Message not accepted for policy\n reasons.  See http://postmaster.yahoo.com/errors/postmaster-28.html',
    ),
  ],
  ['yahoo ?', `${YAHOO}554 delivery error: dd Requested mail action aborted`],
  // Another company.
  ['- ?', 'host mx1.mail.yahoo.co.jp[192.0.2.9] said: 554 5.7.9 nobody knows this text'],
];

export const MICROSOFT: readonly Example[] = [
  [
    'outlook bulk_authentication',
    `${OUTLOOK}550 5.7.515 Access denied, sending domain example.com does not meet the required authentication level. The sender's domain in the 5322.From address doesn't meet the authentication requirements.`,
  ],
  [
    'outlook bulk_authentication',
    '550; 5.7.515 Access denied, sending domain EXAMPLE.COM does not meet the required authentication level.',
  ],
  [
    'outlook bulk_authentication',
    `Remote server returned '550 5.7.515 Access denied, sending domain example.com does not meet the required authentication level'`,
  ],
  [
    'outlook bulk_authentication',
    'El servidor remoto devolvió «550 5.7.515 Access denied, sending domain ejemplo.example does not\nmeet the required authentication level»',
  ],
  [
    'outlook rate',
    "421 RP-001 (SNT004-MC1F43) Unfortunately, some messages from 192.0.2.1 weren't sent. hotmail.com exceeded the rate limit. host mx1.hotmail.com",
  ],
  [
    'outlook rate',
    `${OUTLOOK}421 RP-003 The mail server IP connecting to Outlook.com server has exceeded the connection limit allowed.`,
  ],
  ['outlook local_policy', `${OUTLOOK}550 SC-001 (BAY004) Unfortunately, messages from 192.0.2.1 weren't sent.`],
  ['outlook address_probing', `${OUTLOOK}550 SC-002 Mail rejected by Outlook.com for policy reasons.`],
  ['outlook open_relay', `${OUTLOOK}550 SC-003 Your IP address appears to be an open proxy/relay.`],
  ['outlook complaints', `${OUTLOOK}550 SC-004 (COL004-MC2F12) Unfortunately, messages from 192.0.2.1 weren't sent.`],
  ['outlook dynamic_ip', `${OUTLOOK}550 DY-001 Mail rejected by Outlook.com for policy reasons.`],
  ['outlook ip_listed', `${OUTLOOK}550 OU-001 Mail rejected by Outlook.com for policy reasons.`],
  [
    'outlook ip_blocked',
    `${OUTLOOK}550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.`,
  ],
  [
    'microsoft ip_reputation',
    '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775) [BN8NAM12FT012.eop-nam12.prod.protection.outlook.com]',
  ],
  [
    'microsoft365 dmarc_policy',
    `${TENANT}550 5.7.509 Access denied, sending domain example.com does not pass DMARC verification and has a DMARC policy of reject.`,
  ],
  [
    'microsoft365 dmarc_policy',
    dsn(
      '5.7.509',
      'example-com.mail.protection.outlook.com',
      '550 5.7.509 Access denied, sending domain [example.com] does not\n pass DMARC verification and has a DMARC policy of reject.',
    ),
  ],
  [
    'microsoft365 spf_failed',
    `${TENANT}550 5.7.23 The message was rejected because of Sender Policy Framework violation -> 550 5.7.1`,
  ],
  ['microsoft365 ptr', `${TENANT}550 5.7.25 The sending IPv6 address [2001:db8::1] must have a reverse DNS record.`],
  [
    'microsoft365 ip_blocked',
    `${TENANT}550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal from this list please visit https://sender.office.com/`,
  ],
  ['microsoft365 sender_blocked', `${TENANT}550 5.7.511 Access denied, banned sender[192.0.2.1].`],
  [
    'microsoft365 no_mailbox',
    `${TENANT}550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup`,
  ],
  [
    'microsoft365 no_mailbox',
    `${TENANT}550 5.4.1 Recipient address rejected: Access denied. [AM7EUR03FT001.eop-EUR03.prod.protection.outlook.com]`,
  ],
  [
    'microsoft365 ip_listed',
    `${TENANT}550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.org/query/ip/192.0.2.1 (AS16012611)`,
  ],
  [
    'microsoft365 mailbox_full',
    `Remote Server returned '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception' host example-com.mail.protection.outlook.com`,
  ],
  [
    'microsoft365 unauthenticated',
    `${TENANT}450 4.7.26 Service does not accept messages sent over IPv6 [2001:db8::1] unless they pass either SPF or DKIM validation (message not signed)`,
  ],
  [
    'microsoft365 recipient_policy',
    `${TENANT}550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required`,
  ],
  ['microsoft365 busy', `${TENANT}451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (AS77712344)`],
  // As it is sent; what is announced says "does not".
  [
    'outlook spf_failed',
    "550 5.7.515 Access denied, sending domain EXAMPLE.JP doesn't meet the required authentication level. The sender's domain in the 5322.From address doesn't meet the authentication requirements defined for the sender. To learn how to fix this see: https://go.microsoft.com/fwlink/p/?linkid=2319303 Spf= Fail , Dkim= Pass , DMARC= Pass",
  ],
  [
    'outlook dkim_failed',
    '550 5.7.515 Access denied, sending domain example.com doesn’t meet the required authentication level. Spf= Pass , Dkim= Fail , DMARC= Pass',
  ],
  [
    'outlook not_aligned',
    "550 5.7.515 Access denied, sending domain example.com doesn't meet the required authentication level. Spf= Pass , Dkim= Pass , DMARC= Fail",
  ],
  [
    'outlook bulk_authentication',
    "550 5.7.515 Access denied, sending domain example.com doesn't meet the required authentication level. Spf= Fail , Dkim= Fail , DMARC= Fail",
  ],
  [
    'microsoft ip_blocked',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors.",
  ],
  [
    'microsoft local_policy',
    "550 SC-001 (BAY004-MC1F10) Unfortunately, messages from 192.0.2.1 weren't sent. Please contact your Internet service provider.",
  ],
  ['microsoft complaints', "550 SC-004 (COL004-MC5F2) Unfortunately, messages from 192.0.2.1 weren't sent."],
  ['outlook no_mailbox', `${OUTLOOK}550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).`],
  ['microsoft365 ?', `${TENANT}550 5.7.1`],
  [
    'outlook dmarc_policy',
    'to=<ada@hotmail.com>, relay=hotmail-com.olc.protection.outlook.com[192.0.2.3]:25, dsn=5.7.509, status=bounced (host hotmail-com.olc.protection.outlook.com[192.0.2.3] said: 550 5.7.509 Access denied)',
  ],
];

export const APPLE_TEXTS: readonly Example[] = [
  [
    'apple local_policy',
    `${APPLE}550 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137`,
  ],
  [
    'apple local_policy',
    '554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
  ],
  [
    'apple dmarc_policy',
    `${APPLE}550 5.7.1 Your message was rejected due to example.com's DMARC policy. See https://support.apple.com/en-us/HT204137 for info`,
  ],
  [
    'apple dmarc_policy',
    'Your message was not delivered: 554 5.7.1 Your message was rejected due to example.com’s DMARC policy. See https://support.apple.com/en-us/HT204137 for info',
  ],
  [
    'apple unauthenticated',
    `${APPLE}554 5.7.1 [HME1] This message was blocked for failing both SPF and DKIM authentication checks.`,
  ],
  [
    'apple domain_listed',
    `${APPLE}550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL -- see https://www.spamhaus.org/dbl/`,
  ],
  [
    'apple ip_listed',
    `${APPLE}550 5.7.1 Mail from IP 192.0.2.1 was rejected due to listing in Spamhaus SBL. For details please see http://www.spamhaus.org/query/bl?ip=192.0.2.1`,
  ],
  [
    'apple rate',
    `${APPLE}421 4.7.1 Messages to ada@icloud.com deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137`,
  ],
  ['apple no_mailbox', `${APPLE}550 5.1.1 <ada@icloud.com>: user does not exist`],
  ['apple mailbox_full', `${APPLE}552 5.2.2 <ada@icloud.com>: user is over quota (in reply to RCPT TO command)`],
  ['apple mailbox_disabled', `${APPLE}550 5.1.1 <ada@me.com>: inactive email address`],
  ['apple ip_blocked', `${APPLE}550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.2.1`],
  ['apple busy', `${APPLE}451 4.7.1 Service unavailable - try again later`],
  ['apple domain_not_found', `${APPLE}450 4.1.8 <news@example.com>: Sender address rejected: Domain not found`],
  ['apple ?', `${APPLE}550 5.7.1 Something new`],
];

/** Named by a delivery report, by the recipient, or not at all. */
export const NAMED: readonly Example[] = [
  [
    'apple dmarc_policy',
    "Diagnostic-Code: smtp; 550 5.7.1 Your message was rejected due to exam=\r\nple.com's DMARC pol=\r\nicy. See https://support.apple.com/en-us/HT204137",
  ],
  [
    'apple local_policy',
    'Reporting-MTA: dns; mx01.mail.icloud.com\n\nFinal-Recipient: rfc822; ada@recipient.example\nAction: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; 550 5.7.1 [CS01] Message rejected due to local policy.',
  ],
  [
    'gmail spf_failed',
    'Final-Recipient: rfc822; ada@gmail.com\nAction: failed\nStatus: 5.7.27\nDiagnostic-Code: smtp; 550 5.7.27 refused',
  ],
  // Forwarded to another server: Gmail's meaning of the code doesn't count.
  [
    '- ?',
    'to=<ada@gmail.com>, relay=filter.example.net[192.0.2.9]:25, dsn=5.7.27, status=bounced (host filter.example.net[192.0.2.9] said: 550 5.7.27 refused)',
  ],
  ['- ?', '550 5.7.1 Mail from icloud.com is not accepted here'],
  [
    'gmail dmarc_policy',
    "550-5.7.26 Unauthenticated email from example.com is not accepted due to domain's\n\n550-5.7.26 DMARC policy.\n\n550 5.7.26 98e67ed59e1d1 - gsmtp",
  ],
  [
    'gmail spf_denied',
    '... while talking to gmail-smtp-in.l.google.com.:\n>>> DATA\n<<< 550-5.7.26 The MAIL FROM domain [example.com] has an SPF record with a hard\n<<< 550-5.7.26 fail policy (-all) but it fails to pass SPF checks',
  ],
  // Google is the sender.
  [
    '- ?',
    'Reporting-MTA: dns; googlemail.com\n\nFinal-Recipient: rfc822; ada@recipient.example\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; The recipient server did not accept our requests to connect. Learn more at https://support.google.com/mail/answer/7720',
  ],
  [
    'mimecast recipient_policy',
    'host eu-smtp-inbound-1.mimecast.com[192.0.2.4] said: 554 Host network not allowed (in reply to RCPT TO command)',
  ],
  [
    'gmail authentication',
    '550-5.7.1 This message does not have authentication information or fails to pass\n550 5.7.1 authentication checks. - gsmtp',
  ],
  // The report has the status alone.
  ['yahoo rate', `${YAHOO}421 4.7.0 [TSS04] Messages temporarily deferred\n\nAction: delayed\nStatus: 4.0.0`],
  ['gmail dkim_failed', `${FROM_GMAIL}550 5.7.30 DKIM\n\nAction: failed\nStatus: 5.7.30`],
];

export const UNITED_INTERNET: readonly Example[] = [
  [
    'gmx spf_denied',
    `${GMX}550-Requested action not taken: mailbox unavailable\n550-Reject due to SPF policy.\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0601&i=ip&v=192.0.2.1`,
  ],
  [
    'gmx spf_denied',
    '550 <ada@web.de>: Reject due to SPF policy. The originating IP of the message is not permitted by the domain owner host mx-ha.web.de',
  ],
  [
    'gmx from_host_missing',
    'host mx-ha.web.de[192.0.2.8] said: 550 <ada@web.de>: Invalid DNS MX or A/AAAA resource record',
  ],
  [
    'gmx ptr',
    `${GMX}554-gmx.net (mxgmx104) Nemesis ESMTP Service not available\n554-No SMTP service\n554-Bad DNS PTR resource record.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=rdns`,
  ],
  [
    'gmx ip_listed',
    '554-gmx.net (mxgmx104) Nemesis ESMTP Service not available\n554-No SMTP service\n554-IP address is block listed.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=r0201&i=ip&v=198.51.100.42',
  ],
  [
    'gmx malformed',
    '554-Transaction failed\n554-Reject due to policy restrictions.\n554 For explanation visit https://postmaster.web.de/en/case?c=hi',
  ],
  [
    'gmx local_policy',
    '554-Transaction failed 554-Reject due to policy restrictions. 554 For explanation visit https://postmaster.gmx.net/de/case?c=r0735&i=ip&v=192.0.2.1&r=1McHM6 (in reply to end of DATA command)',
  ],
  ['gmx mailbox_full', `${GMX}552-Requested mail action aborted: exceeded storage allocation\n552-Quota exceeded.`],
  [
    'gmx no_mailbox',
    `${GMX}550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net/en/error-messages`,
  ],
  [
    'gmx no_mailbox',
    'host mx-ha02.web.de[192.0.2.8] said: 550 Requested action not taken: mailbox unavailable (in reply to RCPT TO command)',
  ],
  // Each refusal begins like that: the cause is in the next line.
  [
    'gmx ?',
    'host mx-ha02.web.de[192.0.2.8] said: 550-Requested action not taken: mailbox unavailable 550-Sender address is not allowed. 550 For explanation visit https://postmaster.gmx.net/en/case?c=r0301 (in reply to MAIL FROM command)',
  ],
  [
    'gmx ?',
    `${GMX}550-Requested action not taken: mailbox unavailable\n550-Sender domain does not exist or has no valid MX/A record\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0302`,
  ],
  // A reply to MAIL FROM says nothing about the recipient.
  [
    'gmx ?',
    `${GMX}550-Requested action not taken: mailbox unavailable 550 For explanation visit https://postmaster.gmx.net/en/case?c=r0303 (in reply to MAIL FROM command)`,
  ],
  ['- ?', 'host mx.recipient.example[192.0.2.9] said: 550 5.1.1 User unknown (in reply to MAIL FROM command)'],
  ['gmx dmarc_policy', `${GMX}550 Reject due to DMARC policy. See https://postmaster.gmx.net/en/case?c=r0602`],
];

export const GATEWAYS: readonly Example[] = [
  [
    'mimecast dmarc_policy',
    '550 DMARC Sender Invalid - envelope rejected - https://community.mimecast.com/docs/DOC-1369#550 [abc]',
  ],
  [
    'mimecast spf_failed',
    'host us-smtp-inbound-1.mimecast.com[192.0.2.4] said: 550 SPF Sender Invalid - envelope rejected',
  ],
  [
    'mimecast dkim_failed',
    'host us-smtp-inbound-1.mimecast.com[192.0.2.4] said: 550 DKIM Sender Invalid - envelope rejected',
  ],
  [
    'mimecast spoofing',
    '550 Rejected by header based Anti-Spoofing policy: ada@example.com - https://community.mimecast.com/docs/DOC-1369#550 [abc]',
  ],
  [
    'mimecast recipient_policy',
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [abc]',
  ],
  [
    'mimecast greylisted',
    '451 Internal resource temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451 [abc]',
  ],
  [
    'mimecast content',
    '554 Email rejected due to security policies - https://community.mimecast.com/docs/DOC-1369#554 [abc]',
  ],
  [
    'proofpoint dmarc_policy',
    "host mx0a-00112233.pphosted.com[192.0.2.5] said: 550 5.7.0 Email rejected per sender's DMARC policy",
  ],
  [
    'proofpoint ip_blocked',
    'host mx1-us1.ppe-hosted.com[192.0.2.6] said: 550 5.7.1 Service unavailable; client [192.0.2.1] blocked using prs.proofpoint.com',
  ],
  [
    'proofpoint spf_denied',
    "550 5.7.1 Message rejected per sender's SPF policy - OXSUS001_514 host mx1-us1.ppe-hosted.com",
  ],
  ['proofpoint no_mailbox', 'host mx0b-00112233.pphosted.com[192.0.2.5] said: 550 5.1.1 User Unknown'],
  [
    'proofpoint domain_not_found',
    'host mx0b-00112233.pphosted.com[192.0.2.5] said: 550 5.1.8 Domain of sender address does not exist',
  ],
  ['barracuda spoofing', 'host d1234.ess.barracudanetworks.com[192.0.2.7] said: 550 rejecting spoofed message'],
  [
    'barracuda ip_listed',
    '554 Service unavailable; Client host [mail.example.com] blocked using Barracuda Reputation; http://bbl.barracudacentral.com/q.cgi?ip=192.0.2.1',
  ],
  [
    'barracuda local_policy',
    'host d1234a.ess.barracudanetworks.com[192.0.2.7] said: 550 permanent failure for one or more recipients (ada@recipient.example:blocked)',
  ],
  [
    'cisco ip_reputation',
    "host mx1.hc1-2.iphmx.com[192.0.2.10] said: 554-mx1.hc1-2.iphmx.com 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
  ],
  [
    '- ip_reputation',
    "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means.",
  ],
  ['cisco spf_failed', 'host mx2.hc1-2.iphmx.com said: 550 #5.7.1 SPF unauthorized mail is prohibited.'],
  ['- dkim_failed', '550 #5.7.5 DKIM unauthenticated mail is prohibited.'],
  ['- dmarc_policy', '550 #5.7.1 DMARC unauthenticated mail is prohibited.'],
  [
    'tonline ip_blocked',
    '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)',
  ],
  [
    'tonline ip_reputation',
    'host mx03.t-online.de[192.0.2.11] refused to talk to me: 554 IP=192.0.2.1 - None/bad reputation. Ask your postmaster for help or to contact postmaster@rx.t-online.de for reset. (NOWL)',
  ],
  [
    'tonline dynamic_ip',
    '554 IP=192.0.2.1 - Dialup/transient IP not allowed. Use a mailgateway or contact toda@rx.t-online.de if obsolete. (DIAL)',
  ],
  [
    'symantec content',
    'host cluster5.eu.messagelabs.com[192.0.2.12] said: 553 Message filtered. Refer to the Troubleshooting page at http://www.symanteccloud.com/troubleshooting for more information. (#5.7.1)',
  ],
  [
    'trendmicro recipient_policy',
    'host in.tmes.trendmicro.eu[192.0.2.13] said: 550 5.7.1 <ada@recipient.example>: Recipient address rejected: ERS-Customized-Block.',
  ],
  [
    '- ip_listed',
    'host mx.recipient.example[192.0.2.14] said: 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.1',
  ],
  [
    '- ip_listed',
    '550 5.7.1 Service unavailable; client [192.0.2.1] blocked using bl.spamcop.net; Blocked - see https://www.spamcop.net/bl.shtml?192.0.2.1',
  ],
  [
    '- domain_listed',
    '554 5.7.1 Service unavailable; Sender address [news@example.com] blocked using dbl.spamhaus.org',
  ],
];

export const SERVERS: readonly Example[] = [
  ['- recipient_null_mx', '556 5.1.10 Recipient address has null MX'],
  ['- sender_null_mx', '550 5.7.27 Sender address has null MX'],
  ['- ?', '550 5.1.10 an unknown cause'],
  [
    '- ?',
    '<jean@wanadoo.example>: host smtp-in.recipient.example[192.0.2.9] refused to talk to me: 421 opmta1mti02nd1 smtp.recipient.example 192.0.2.1 Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]',
  ],
  // Copied from a page.
  [
    'gmail unauthenticated',
    '<p><b>550</b>-<b>5.7.26</b> <span class="x">This mail has been blocked because the sender is unauthenticated.</span><br>550-5.7.26 Gmail&nbsp;requires all senders to authenticate with either SPF or DKIM. - gsmtp</p>',
  ],
  ['gmail unauthenticated', '５５０ ５．７．２６ Gmail requires all senders to authenticate with either SPF or DKIM.'],
  [
    '- ptr',
    'host mx.recipient.example[192.0.2.14] said: 450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.1]',
  ],
  ['- ptr', '550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]'],
  [
    '- domain_not_found',
    '450 4.1.8 <news@bounce.example.com>: Sender address rejected: Domain not found (in reply to RCPT TO command)',
  ],
  [
    '- no_mailbox',
    '550 5.1.1 <ada@recipient.example>: Recipient address rejected: User unknown in virtual mailbox table (in reply to RCPT TO command)',
  ],
  [
    '- greylisted',
    '450 4.2.0 <ada@recipient.example>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/recipient.example.html',
  ],
  [
    '- helo',
    '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname (in reply to RCPT TO command)',
  ],
  ['- relay_denied', '454 4.7.1 <ada@recipient.example>: Relay access denied'],
  ['- relay_denied', '550 relay not permitted'],
  [
    '- dmarc_policy',
    'host mx.recipient.example[192.0.2.14] said: 550 5.7.1 rejected by DMARC policy for example.com (in reply to end of DATA command)',
  ],
  ['- dmarc_policy', '554 5.7.1 Action rejected: DMARC failure for domain example.com, policy reject'],
  [
    '- spf_failed',
    "550-SPF-check failed: 550 example.com doesn't allow sending mails from 192.0.2.1 (in reply to MAIL FROM command)",
  ],
  [
    '- spf_failed',
    '550 5.7.23 <ada@recipient.example>: Recipient address rejected: Message rejected due to: SPF fail - not authorized. Please see http://www.openspf.net/Why?s=mfrom;id=news@example.com',
  ],
  ['- sender_refused', '550 Sender verify failed'],
  ['- too_large', '552 5.3.4 Message size exceeds fixed limit'],
  ['- mailbox_full', '452 4.2.2 <ada@recipient.example> Mailbox full'],
  [
    '- no_mailbox',
    'Hi. This is the qmail-send program at mail.example.com.\n\n<ada@recipient.example>:\n192.0.2.14 does not like recipient.\nRemote host said: 550 5.1.1 No such user here\nGiving up on 192.0.2.14.',
  ],
  // Only codes: what IANA has registered is said, the rest isn't.
  ['- ?', '550 5.7.1'],
  ['- ?', '554'],
  ['- ?', '550 5.7.27'],
  ['- ?', '421 4.7.0 Try again later'],
  ['- ?', 'Status: 5.7.1'],
  ['- ?', '550 5.7.1 Message rejected'],
  ['- dkim_failed', '550 5.7.20'],
  ['- spf_failed', '550 5.7.23'],
  ['- authentication', '550 5.7.26'],
  ['- ptr', '550 5.7.25'],
  ['- no_mailbox', '550 5.1.1'],
  ['- ?', '451 4.7.23'],
  ['gmail ptr', `451 4.7.23 ${FROM_GMAIL}`],
  ['- dkim_failed', 'Status: 5.7.20'],
  ['- ?', '550 5.7.29'],
  ['- ?', '550 5.7.40'],
];

/** Several bounces in one paste: each. */
export const SEVERAL: readonly (readonly [expected: readonly string[], text: string])[] = [
  [
    ['gmail dkim_failed', 'yahoo rate'],
    `Jun  1 10:12:03 mta1 postfix/smtp[1]: 4A: to=<ada@gmail.com>, relay=gmail-smtp-in.l.google.com[192.0.2.27]:25, dsn=5.7.30, status=bounced (host gmail-smtp-in.l.google.com[192.0.2.27] said: 550-5.7.30 This message was blocked because it didn't pass DKIM 550 5.7.30 authentication.)\nJun  1 10:12:04 mta1 postfix/smtp[2]: 4B: to=<bo@yahoo.com>, relay=mta7.am0.yahoodns.net[192.0.2.36]:25, dsn=4.7.0, status=deferred (host mta7.am0.yahoodns.net[192.0.2.36] said: 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred)`,
  ],
  [
    ['gmail unauthenticated', 'apple local_policy'],
    `  ada@gmail.com\n    host gmail-smtp-in.l.google.com [192.0.2.27]\n    SMTP error from remote mail server after end of data:\n    550-5.7.26 This mail has been blocked because the sender is unauthenticated.\n    550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.\n  bo@icloud.com\n    host mx01.mail.icloud.com [192.0.2.35]\n    SMTP error from remote mail server after end of data:\n    550 5.7.1 [CS01] Message rejected due to local policy.`,
  ],
  // Each once, though the readable part and the report both have it.
  [
    ['outlook bulk_authentication'],
    `This is the mail system at host mail.example.com.\n\n<ada@outlook.com>: host outlook-com.olc.protection.outlook.com[192.0.2.33] said: 550\n    5.7.515 Access denied, sending domain example.com does not meet the required\n    authentication level. (in reply to end of DATA command)\n\n--ABC\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example.com\n\nFinal-Recipient: rfc822; ada@outlook.com\nAction: failed\nStatus: 5.7.515\nRemote-MTA: dns; outlook-com.olc.protection.outlook.com\nDiagnostic-Code: smtp; 550 5.7.515 Access denied, sending domain example.com\n    does not meet the required authentication level.\n\n--ABC\nContent-Type: message/rfc822\n\nSubject: Up to 550 offers, 421 of them new\nFrom: News <news@example.com>\n\nOnly 550 left. Order no. 554 costs 450 EUR.\n`,
  ],
  [
    ['gmail dmarc_missing', 'gmail ptr'],
    dsn('5.7.40', 'gmail-smtp-in.l.google.com', '550 5.7.40 Your message was blocked') +
      '\n' +
      dsn('5.7.25', 'gmail-smtp-in.l.google.com', '550 5.7.25 This message was blocked'),
  ],
  // Texts that differ in letters of other scripts alone.
  [['- ?', '- ?'], '550 5.7.1 邮件内容被拒绝\n\n550 5.7.1 发件人被拒绝'],
  // No bounce.
  [[], 'Hello, we have 550 guests in room 421. Call 555 123. Version 5.7.1 of the app is out.'],
  [[], ''],
];
