"""scrapy runspider scrapy_spider.py -a seed=URL: follow all links of a site, keep nothing.

LinkExtractor, and a fingerprint for each link, cost three times as much as all the rest: links are
taken from lxml as they are, and a set keeps the URLs that were seen.
"""

import scrapy


class SiteSpider(scrapy.Spider):
    name = "site"

    def __init__(self, seed, **options):
        super().__init__(**options)
        self.start_urls = [seed]
        self.origin = "/".join(seed.split("/", 3)[:3]) + "/"
        self.seen = {seed}

    def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        for href in response.selector.root.xpath("//a/@href"):
            url = response.urljoin(href).partition("#")[0]
            if url.startswith(self.origin) and url not in self.seen:
                self.seen.add(url)
                yield scrapy.Request(url, dont_filter=True)
